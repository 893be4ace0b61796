import { codeField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import { choice, reference } from '#entities/define/field.ts'

export const entryLevel = defineEntity({
  slug: 'jenjang-pendaftaran',
  table: 'entry_levels',
  label: {
    one: { en: 'Entry level', id: 'Jenjang pendaftaran' },
    many: { en: 'Entry levels', id: 'Jenjang pendaftaran' },
  },
  titleFields: ['name'],
  defaultSort: 'code',
  fields: {
    code: codeField(20),
    name: nameField(),
    degreeLevelId: reference({ label: { en: 'Degree level', id: 'Jenjang' }, to: 'jenjang', list: true, filter: true }),
    minimumEducation: choice({
      label: { en: 'Minimum education', id: 'Pendidikan minimum' },
      list: true,
      default: 'sma',
      choices: {
        sma: { en: 'Senior secondary (SMA, SMK, MA, Paket C)', id: 'SMA, SMK, MA, atau Paket C' },
        d3: { en: 'Diploma (D3)', id: 'Diploma tiga (D3)' },
        s1: { en: 'Bachelor (S1)', id: 'Sarjana (S1)' },
        s2: { en: 'Master (S2)', id: 'Magister (S2)' },
      },
    }),
    pddiktiRegistrationKind: choice({
      label: { en: 'PDDikti registration kind', id: 'Jenis pendaftaran PDDikti' },
      optional: true,
      default: '1',
      choices: {
        '1': { en: 'New student', id: 'Peserta didik baru' },
        '2': { en: 'Transfer', id: 'Pindahan' },
        '8': { en: 'Transfer after change of institution', id: 'Pindahan alih bentuk' },
        '11': { en: 'Change of degree level', id: 'Alih jenjang' },
        '12': { en: 'Change of stream', id: 'Lintas jalur' },
        '13': { en: 'Recognition of prior learning', id: 'Rekognisi pembelajaran lampau (RPL)' },
      },
    }),
  },
})
