/** `Budi Santoso` → `B*** S******`: enough to recognise a familiar name on a receipt. */
export const maskName = (name: string) =>
  name.replace(/(\p{L})(\p{L}+)/gu, (_, first: string, rest: string) => first + '*'.repeat(rest.length))
