import { Anchor, Button, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { correctFeederStudent, type FeederStudent, mapFeederRegion } from '#domain/students/feeder/endpoints.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ScrollBox } from '#web/ui/scroll-box.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

type Field = FeederStudent['fields'][number]
export type Correction = 'own' | 'region'

/** Form that corrects a value, with the permission it requires. */
function formOf({ place, field }: Field, { registrationId, accountId, rows }: FeederStudent) {
  const profile = { to: `/pendaftaran/${registrationId}?tab=profile`, right: 'pendaftaran-profile-update' }
  const master = (slug: string, id: string) => ({
    to: `/master/${slug}/edit/${id}`,
    right: `master-${slug}-update`,
  })
  if (place === 'enrolment') return { to: `/berkas-mahasiswa/${registrationId}/data`, right: 'berkas-mahasiswa-update' }
  if (place === 'programme') return master('prodi', rows.programme)
  if (place === 'track') return master('jalur', rows.track)
  if (place === 'entryLevel') return master('jenjang-pendaftaran', rows.entryLevel)
  if (place === 'wave') return master('periode', rows.wave)
  if (place === 'account') return { to: `/settings/accounts/${accountId}`, right: 'settings-accounts-update' }
  if (place === 'religion' && rows.religion && field === 'id_agama') return master('agama', rows.religion)
  if (place === 'number' || place === 'bill') return null
  return profile
}

type Props = {
  student: FeederStudent
  title: string
  fields: readonly Field[]
  onCorrect: (correction: Correction) => void
}

/** Fields with values, problems and a link to the form that corrects each. */
export function FieldsCard({ student, title, fields, onCorrect }: Props) {
  const { t } = useTranslation('feeder')
  return (
    <Card flush title={title}>
      <ScrollBox style={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={title}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('column.field')}</Table.Th>
              <Table.Th scope="col">{t('column.value')}</Table.Th>
              <Table.Th scope="col">{t('column.problem')}</Table.Th>
              <Table.Th scope="col">{t('student.correct')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field.field}>
                <Table.Th scope="row" fw={500}>
                  {field.field}
                </Table.Th>
                <Table.Td>{field.value ?? '—'}</Table.Td>
                <Table.Td>
                  {field.problem && <StatusDot tone="attention" label={t(`problem.${field.problem}`)} />}
                </Table.Td>
                <Table.Td>
                  {field.problem && <CorrectLink field={field} student={student} onCorrect={onCorrect} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
    </Card>
  )
}

function CorrectLink({ field, student, onCorrect }: Pick<Props, 'student' | 'onCorrect'> & { field: Field }) {
  const { t } = useTranslation('feeder')
  const { may } = useSession()
  const label = t('student.correctField', { field: field.field })
  const dialog = (right: string, correction: Correction) =>
    may(right) && (
      <Button size="compact-sm" variant="default" aria-label={label} onClick={() => onCorrect(correction)}>
        {t('student.correct')}
      </Button>
    )
  // A NIK that contradicts the profile may be right, so it is checked instead of corrected.
  if (field.place === 'own') return dialog(correctFeederStudent.access, 'own')
  if (field.place === 'region' && field.problem === 'unmapped') return dialog(mapFeederRegion.access, 'region')
  const form = formOf(field, student)
  if (!form)
    return (
      <Text size="sm" c="dimmed">
        {t('student.nowhere')}
      </Text>
    )
  return (
    may(form.right) && (
      <Anchor component={Link} to={form.to} aria-label={label}>
        {t('student.correct')}
      </Anchor>
    )
  )
}
