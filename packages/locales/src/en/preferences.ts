/** What somebody chooses about messages, on the account's settings. */
export const preferences = {
  messages: 'Messages',
  whatsapp: 'News by WhatsApp as well',
  whatsappText: 'To {{phone}}. E-mail and the inbox on this site stay as they are.',
  saved: 'Saved',
}
