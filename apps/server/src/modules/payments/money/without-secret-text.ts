const secret =
  /"([^"\\]*(?:token|secret|signature|password|authorization|api_?key|server_?key)[^"\\]*)"\s*:\s*"(?:[^"\\]|\\.)*(?:"|\\?$)/gi

const maxCharacters = 20_000

/**
 * A bank's message without the values of secret fields, truncated if very long. Secrets are removed from truncated JSON
 * too.
 */
export function withoutSecretText(text: string): string
export function withoutSecretText(text: string | null): string | null
export function withoutSecretText(text: string | null) {
  return text === null ? null : text.slice(0, maxCharacters).replace(secret, '"$1":"••••"')
}
