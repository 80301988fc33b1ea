// The page's script in tests: what main.ts does, as often as a shared page is given to another case.

import { editorLink, startView } from "../../webview/views";

window.startPage = () => void startView(editorLink());
window.startPage();
