export type Mail = {
  to: string
  event: string
  language: string
  subject: string
  body: string
  link: string | null
  file: { name: string; url: string } | null
}

/** Waits until a mail for the event has arrived in the demo outbox. */
export async function mailFor(url: string, to: string, event: string): Promise<Mail> {
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`${url}/api/outbox?to=${encodeURIComponent(to)}`)
    const { data } = (await answer.json()) as { data: Mail[] }
    const mail = data.find((candidate) => candidate.event === event)
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`No mail ${event} for ${to}`)
}

/** First address of the product in a mail. */
export function linkIn(mail: Mail): string {
  const link = mail.link ?? /https?:\/\/\S+/.exec(mail.body)?.[0]
  if (!link) throw new Error(`No link in "${mail.subject}"`)
  const { pathname, search, hash } = new URL(link, 'http://localhost')
  return `${pathname}${search}${hash}`
}
