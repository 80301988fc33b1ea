// The page's entry in the editor.

import { editorLink, startView } from "./views";

startView(editorLink());
