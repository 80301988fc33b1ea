// A model for the recipe of the OpenAI Agents SDK: it calls the tool, and then repeats the result.

import { setDefaultModelProvider, setTracingDisabled, Usage } from "@openai/agents";

setTracingDisabled(true);
setDefaultModelProvider({
  getModel: () => ({
    async getResponse({ input }) {
      const result = Array.isArray(input) && input.find((item) => item.type === "function_call_result");
      const text = result && (result.output.text ?? result.output);
      if (result) console.log(text);
      const output = result
        ? {
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text }],
          }
        : {
            type: "function_call",
            callId: "call-1",
            name: "deploy",
            arguments: '{"target":"production"}',
            status: "completed",
          };
      return { output: [output], usage: new Usage() };
    },
  }),
});
