// The agents: how each is configured for the scripted model in an otherwise empty home folder, and how it is started.

import { agentPackages } from "../../scripts/lib/agents.mjs";
import { type Agent, port } from "./world";

const url = `http://127.0.0.1:${port}`;
const openai = `${url}/v1`;
const day = /86400000/g;

/** A version of opencode or its fork, with its packages marked as installed, so that it does not download them. */
const opencode = (name: string, plugin: string, version: string) => ({
  [`.config/${name}/package.json`]: { dependencies: { [plugin]: version } },
  [`.config/${name}/package-lock.json`]: { packages: { "": { dependencies: { [plugin]: version } } } },
  [`.config/${name}/node_modules/README.md`]: "",
  [`.config/${name}/${name}.json`]: {
    autoupdate: false,
    share: "disabled",
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    enabled_providers: ["scripted"],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: openai, apiKey: "dummy" },
        models: {
          scripted: {
            name: "Scripted",
            tool_call: true,
            attachment: true,
            modalities: { input: ["text", "image"], output: ["text"] },
            limit: { context: 100_000, output: 4_000 },
          },
        },
      },
    },
  },
});

/** The common settings of Gemini CLI and its fork. */
const settings = (selectedType: string) => ({
  general: { enableAutoUpdate: false, disableAutoUpdate: true, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { auth: { selectedType }, folderTrust: { enabled: false } },
});

export const agents: Agent[] = [
  {
    id: "claude-code",
    package: "@anthropic-ai/claude-code",
    binary: "claude",
    environment: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "dummy-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    },
    files: (world) => ({
      ".claude.json": {
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: ["dummy-key"], rejected: [] },
        projects: { [world.project]: { hasTrustDialogAccepted: true } },
      },
    }),
    once: ["-p", "Ask me"],
    limit: { file: ".claude.json", change: (text) => text.replace(day, "4000") },
    timedOut: /timed out after 4s/,
  },
  {
    id: "codex",
    package: "@openai/codex",
    binary: "codex",
    environment: { SCRIPTED_KEY: "dummy" },
    files: () => ({
      ".codex/config.toml": `model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[model_providers.scripted]
name = "Scripted"
base_url = "${openai}"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
[analytics]
enabled = false
`,
    }),
    once: ["exec", "--skip-git-repo-check", "Ask me"],
    limit: {
      file: ".codex/config.toml",
      change: (text) => text.replace(/tool_timeout_sec = \d+/, "tool_timeout_sec = 4"),
    },
    timedOut: /timed out/,
  },
  {
    id: "opencode",
    package: "opencode-ai",
    binary: "opencode",
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_SHARE: "1",
    },
    files: () => opencode("opencode", "@opencode-ai/plugin", agentPackages["opencode-ai"] as string),
    once: ["run", "Ask me"],
    limit: { file: ".config/opencode/opencode.json", change: (text) => text.replace(day, "4000") },
    timedOut: /timed out/,
  },
  {
    id: "kilo",
    package: "@kilocode/cli",
    binary: "kilo",
    environment: {
      KILO_DISABLE_AUTOUPDATE: "1",
      KILO_DISABLE_MODELS_FETCH: "1",
      KILO_TELEMETRY_LEVEL: "off",
      KILO_DISABLE_SHARE: "1",
      DO_NOT_TRACK: "1",
    },
    files: () => opencode("kilo", "@kilocode/plugin", agentPackages["@kilocode/cli"] as string),
    once: ["run", "Ask me"],
    limit: { file: ".config/kilo/kilo.json", change: (text) => text.replace(day, "4000") },
    timedOut: /timed out/,
  },
  {
    id: "gemini",
    package: "@google/gemini-cli",
    binary: "gemini",
    environment: {
      GEMINI_API_KEY: "dummy",
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_TELEMETRY_ENABLED: "false",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    },
    files: () => ({ ".gemini/settings.json": settings("gemini-api-key") }),
    once: ["-m", "gemini-2.5-pro", "-p", "Ask me"],
    limit: {
      file: ".gemini/settings.json",
      change: (text) => text.replace(/"timeout": 86400000/, '"timeout": 4000'),
    },
    timedOut: /timed out/,
  },
  {
    id: "copilot",
    package: "@github/copilot",
    binary: "copilot",
    environment: {
      COPILOT_PROVIDER_BASE_URL: openai,
      COPILOT_PROVIDER_API_KEY: "dummy",
      COPILOT_MODEL: "gpt-5.4",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    },
    files: (world) => ({ ".copilot/config.json": { trusted_folders: [world.project] } }),
    once: ["-p", "Ask me", "--allow-all-tools", "--disable-builtin-mcps"],
    limit: { file: ".copilot/mcp-config.json", change: (text) => text.replace(day, "4000") },
    images: "path",
    timedOut: /timed out/,
  },
  {
    id: "qwen",
    package: "@qwen-code/qwen-code",
    binary: "qwen",
    environment: {
      OPENAI_API_KEY: "dummy",
      OPENAI_BASE_URL: openai,
      OPENAI_MODEL: "scripted",
      QWEN_TELEMETRY_ENABLED: "false",
    },
    files: () => ({ ".qwen/settings.json": settings("openai") }),
    deferred: "mcp__followup__ask_followup_question",
    once: ["-p", "Ask me"],
    limit: { file: ".qwen/settings.json", change: (text) => text.replace(day, "4000") },
    images: "path",
    timedOut: /timed out/,
  },
  {
    id: "cline",
    package: "cline",
    binary: "cline",
    environment: { CLINE_TELEMETRY_DISABLED: "1", CLINE_NO_AUTO_UPDATE: "1", DO_NOT_TRACK: "1" },
    files: () => ({}),
    before: [["auth", "openai-compatible", "-k", "dummy", "-m", "scripted", "-b", openai]],
    once: ["Ask me"],
    limit: {
      file: ".cline/data/settings/cline_mcp_settings.json",
      change: (text) => text.replace(/86400/, "4"),
    },
    timedOut: /timed out/,
    images: "path",
  },
];

/** Returns the agent with an id. */
export function agentOf(id: string): Agent {
  const found = agents.find((agent) => agent.id === id);
  if (!found) {
    throw new Error(`There is no agent ${id}.`);
  }
  return found;
}
