import type { optOut as en } from '#locales/en/opt-out.ts'

export const optOut = {
  lead: '{{university}} mengirim pesan ke {{address}}. Pilih pesan yang tidak ingin Anda terima lagi.',
  purpose: {
    admission: { title: 'Ajakan mendaftar', text: 'Gelombang, program studi, dan biaya.' },
    events: { title: 'Undangan acara', text: 'Kunjungan kampus, webinar, dan pameran.' },
  },
  stop: 'Hentikan pesan ini',
  undo: 'Terima lagi',
  ownerOnly:
    'Pemilik nomor telepon atau email di akun Anda telah menghentikan pesan ini. Hanya pemiliknya yang dapat mengembalikannya, lewat tautan di pesan kami atau di kantor kami.',
  stopAll: 'Hentikan semua ajakan dan undangan',
  stopped: 'Selesai. Anda tidak akan menerima pesan ini lagi.',
  service: 'Pesan tentang pendaftaran Anda sendiri, seperti tenggat dan hasil, tetap kami kirim.',
  own: {
    title: 'Ajakan dan undangan',
    text: 'Ajakan dan undangan yang kami kirim ke email dan telepon akun Anda.',
  },
  broken: {
    title: 'Tautan ini tidak lengkap atau sudah lama',
    text: 'Sering kali tautan terpotong saat disalin. Buka lagi pesan yang Anda terima, lalu ketuk tautannya.',
    signIn: 'Masuk untuk memilih pesan',
    own: 'Anda sudah masuk, jadi Anda dapat memilih di sini. Pilihan ini berlaku untuk email dan telepon akun Anda.',
    reply: 'Pesan WhatsApp juga dapat dihentikan dengan membalas BERHENTI.',
    contact: 'Jika tidak berhasil, hubungi {{university}}.',
  },
} satisfies typeof en
