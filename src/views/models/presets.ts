/** A kind of server, with its usual address. */
export interface ServerPreset {
  label: string;
  /** The server's name in the settings. */
  name: string;
  baseUrl: string;
  key: "none" | "optional" | "needed";
}

/** Default addresses, from the servers' manuals. */
export const SERVER_PRESETS: readonly ServerPreset[] = [
  { label: "Ollama", name: "ollama", baseUrl: "http://localhost:11434/v1", key: "none" },
  { label: "LM Studio", name: "lmstudio", baseUrl: "http://localhost:1234/v1", key: "none" },
  { label: "llama.cpp", name: "llamacpp", baseUrl: "http://localhost:8080/v1", key: "optional" },
  { label: "vLLM", name: "vllm", baseUrl: "http://localhost:8000/v1", key: "optional" },
  { label: "OpenAI", name: "openai", baseUrl: "https://api.openai.com/v1", key: "needed" },
  { label: "OpenRouter", name: "openrouter", baseUrl: "https://openrouter.ai/api/v1", key: "needed" },
  { label: "Another server", name: "", baseUrl: "", key: "optional" },
];
