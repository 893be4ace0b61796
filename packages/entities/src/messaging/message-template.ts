import { defineEntity } from '#entities/define/entity.ts'
import { choice, multiline, text } from '#entities/define/field.ts'
import { oneLine } from '#entities/define/one-line.ts'
import { messageChannels, messageEvents } from './message-events.ts'

const englishSection = { en: 'In English', id: 'Dalam bahasa Inggris' }
const indonesianSection = { en: 'In Indonesian', id: 'Dalam bahasa Indonesia' }
const subjectOptions = {
  max: 200,
  optional: true,
  searchable: false,
  pattern: oneLine,
  help: {
    en: 'For e-mail and inbox; if empty, the built-in subject is used.',
    id: 'Untuk email dan kotak masuk; bila kosong, judul bawaan dipakai.',
  },
} as const
const unknownPlaceholder = (field: string) => ({ field, code: 'placeholder_unknown' })

export const messageTemplate = defineEntity({
  slug: 'notifikasi-whatsapp',
  table: 'message_templates',
  label: {
    one: { en: 'Message template', id: 'Templat pesan' },
    many: { en: 'Message templates', id: 'Templat pesan' },
  },
  titleFields: ['event', 'channel'],
  defaultSort: 'event',
  uniqueTogether: [['event', 'channel']],
  constraints: {
    message_templates_subject_en_placeholders: unknownPlaceholder('subjectEn'),
    message_templates_subject_id_placeholders: unknownPlaceholder('subjectId'),
    message_templates_body_en_placeholders: unknownPlaceholder('bodyEn'),
    message_templates_body_id_placeholders: unknownPlaceholder('bodyId'),
  },
  fields: {
    event: choice({ label: { en: 'Event', id: 'Peristiwa' }, choices: messageEvents, list: true, filter: true }),
    channel: choice({ label: { en: 'Channel', id: 'Saluran' }, choices: messageChannels, list: true, filter: true }),
    providerTemplate: text({
      label: { en: 'Template name at the provider', id: 'Nama templat di penyedia' },
      help: {
        en: 'WhatsApp only: the name under which Meta approved the text. Its {{1}}, {{2}} … take the placeholders of the text below in their order.',
        id: 'Hanya WhatsApp: nama teks ini yang disetujui Meta. {{1}}, {{2}} … di sana diganti isian dari teks di bawah menurut urutannya.',
      },
      max: 100,
      optional: true,
      searchable: false,
    }),
    subjectEn: text({
      label: { en: 'Subject, English', id: 'Judul, bahasa Inggris' },
      section: englishSection,
      ...subjectOptions,
    }),
    bodyEn: multiline({
      label: { en: 'Text, English', id: 'Isi, bahasa Inggris' },
      section: englishSection,
      max: 2000,
    }),
    subjectId: text({
      label: { en: 'Subject, Indonesian', id: 'Judul, bahasa Indonesia' },
      section: indonesianSection,
      ...subjectOptions,
    }),
    bodyId: multiline({
      label: { en: 'Text, Indonesian', id: 'Isi, bahasa Indonesia' },
      section: indonesianSection,
      max: 2000,
    }),
  },
})
