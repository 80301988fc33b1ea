// One editor for all tests of a file. After a failure, a screenshot and the logs are kept.

import { afterAll, beforeAll, beforeEach } from "vitest";
import { Editor, type EditorOptions } from "./editor";

/** Starts the editor before the file's tests and stops it after them; the function returns it while they run. */
export function useEditor(options: EditorOptions | (() => Promise<EditorOptions>) = {}): () => Editor {
  let editor: Editor | undefined;
  beforeAll(async () => {
    editor = await Editor.start(typeof options === "function" ? await options() : options);
  });
  beforeEach(({ task, onTestFailed }) => {
    onTestFailed(async () => await editor?.report(task.name.replace(/\W+/g, "-").slice(0, 60)));
  });
  afterAll(async () => await editor?.stop());
  return () => {
    if (!editor) throw new Error("the editor runs only during tests");
    return editor;
  };
}
