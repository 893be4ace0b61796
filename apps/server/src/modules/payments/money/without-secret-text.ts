const secret =
  /"([^"\\]*(?:token|secret|signature|password|authorization|api_?key|server_?key)[^"\\]*)"\s*:\s*"(?:[^"\\]|\\.)*(?:"|\\?$)/gi

const most = 20_000

/** A message as it was, cut where it is very long, with the values of secret fields left out, also of one that was cut. */
export const withoutSecretText = (text: string | null): string | null =>
  text === null ? null : text.slice(0, most).replace(secret, '"$1":"••••"')
