import type { preferences as en } from '#locales/en/preferences.ts'

export const preferences = {
  messages: 'Pesan',
  whatsapp: 'Kabar juga lewat WhatsApp',
  whatsappText: 'Ke {{phone}}. Email dan kotak masuk di situs ini tetap seperti biasa.',
  saved: 'Tersimpan',
} satisfies typeof en
