// The page's script in tests: like main.ts, but it starts again for each case of a shared page.

import { editorLink, startView } from "../../webview/views";

window.startPage = () => void startView(editorLink());
window.startPage();
