// The page's entry in the editor.

import { editorLink } from "./editorLink";
import { startView } from "./views";

startView(editorLink());
