import type { optOut as en } from '#locales/en/opt-out.ts'

export const optOut = {
  lead: '{{university}} mengirim pesan ke {{address}}. Pilih pesan yang tidak ingin Anda terima lagi.',
  purpose: {
    admission: { title: 'Ajakan mendaftar', text: 'Gelombang, program studi, dan biaya.' },
    events: { title: 'Undangan acara', text: 'Kunjungan kampus, webinar, dan pameran.' },
  },
  stop: 'Hentikan pesan ini',
  undo: 'Terima lagi',
  stopAll: 'Hentikan semua undangan',
  stopped: 'Selesai. Anda tidak akan menerima pesan ini lagi.',
  service: 'Pesan tentang pendaftaran Anda sendiri, seperti tenggat dan hasil, tetap kami kirim.',
} satisfies typeof en
