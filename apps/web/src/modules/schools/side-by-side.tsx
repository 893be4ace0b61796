import { Button, Radio, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ComparedSchool, type MergeableField, mergeableFields } from '#domain/schools/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './side-by-side.module.css'

/** Which school stays and which details it gets, with functions to change that. */
export type Choice = {
  keepId: string
  left: ReadonlySet<string>
  fields: Partial<Record<MergeableField, string>>
  onKeep: (id: string) => void
  onLeave: (id: string, leave: boolean) => void
  onField: (field: MergeableField, schoolId: string) => void
}

type Props = {
  schools: readonly ComparedSchool[]
  /** Current choice; without it the table is read-only. */
  choice?: Choice
}

const nobodyLeft: ReadonlySet<string> = new Set()

/** One column per school, one row per detail; where details differ, the reader selects which to keep. */
export function SideBySide({ schools, choice }: Props) {
  const { t } = useTranslation('schools')
  const { language } = useSurroundings()
  const valuesOf = (school: ComparedSchool): Record<MergeableField, string> => ({
    npsn: school.npsn,
    name: school.name,
    schoolTypeId: school.schoolType,
    status: t(`status.${school.status}`),
    cityId: school.city,
    districtId: school.district ?? '',
    address: school.address ?? '',
    verified: t(school.verified ? 'verified' : 'notVerified'),
  })
  const columns = schools.map((school) => ({
    school,
    values: valuesOf(school),
    out: (choice?.left ?? nobodyLeft).has(school.id),
  }))
  const taking = columns.filter(({ out }) => !out)
  const facts = (school: ComparedSchool) => [
    { key: 'references', value: school.references.map(({ what, count }) => `${count} ${what}`).join(', ') },
    { key: 'aliases', value: school.aliases.map(({ npsn }) => npsn).join(', ') },
    {
      key: 'createdAt',
      value: [longDate(school.createdAt, language), school.proposedBy].filter(Boolean).join(', '),
    },
  ]
  return (
    <div className={classes.grid} style={{ '--columns': schools.length } as React.CSSProperties}>
      {columns.map(({ school, values, out }) => {
        const isKept = school.id === choice?.keepId
        return (
          <section
            key={school.id}
            className={classes.column}
            data-stays={isKept || undefined}
            data-out={out || undefined}
            aria-label={school.name}
          >
            <div className={classes.head}>
              {choice ? (
                <Radio
                  name="stays"
                  checked={isKept}
                  onChange={() => choice.onKeep(school.id)}
                  label={t('merge.stays')}
                  aria-label={t('merge.chooseStays', { name: `${school.name} (${school.npsn})` })}
                />
              ) : (
                <Text fw={600} size="sm" children={school.name} />
              )}
              {!school.active && <StatusDot tone="stopped" label={t('inactive')} />}
              {choice && !isKept && schools.length > 2 && (
                <Button size="compact-xs" variant="default" onClick={() => choice.onLeave(school.id, !out)}>
                  {t(out ? 'merge.takeIn' : 'merge.leaveOut')}
                </Button>
              )}
            </div>
            <dl className={classes.facts}>
              {mergeableFields.map((field) => {
                const differs = !out && new Set(taking.map((column) => column.values[field])).size > 1
                const value = values[field] || '—'
                return (
                  <div key={field} className={classes.fact} data-differs={differs || undefined}>
                    <dt>{t(`fields.${field}`)}</dt>
                    <dd>
                      {differs && choice ? (
                        <Radio
                          size="xs"
                          name={`field-${field}`}
                          checked={(choice.fields[field] ?? choice.keepId) === school.id}
                          onChange={() => choice.onField(field, school.id)}
                          label={value}
                        />
                      ) : field === 'verified' ? (
                        <StatusDot tone={school.verified ? 'done' : 'attention'} label={value} />
                      ) : (
                        value
                      )}
                    </dd>
                  </div>
                )
              })}
              {facts(school).map(({ key, value }) => (
                <div key={key} className={classes.fact}>
                  <dt>{t(`fields.${key}` as 'fields.references')}</dt>
                  <dd>{value || <Text span inherit c="dimmed" children={t('none')} />}</dd>
                </div>
              ))}
            </dl>
          </section>
        )
      })}
    </div>
  )
}
