/** Message preferences on the account's settings page. */
export const preferences = {
  messages: 'Messages',
  whatsapp: 'News by WhatsApp as well',
  whatsappText: 'To {{phone}}. E-mail and the inbox on this site stay as they are.',
  saved: 'Saved',
}
