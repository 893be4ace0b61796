import { Anchor, Button, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlannedRow, PlannedSection } from '#domain/admission-year/endpoints.ts'
import { sectionRules } from '#domain/admission-year/sections.ts'
import type { Entity } from '#entities/define/entity.ts'
import { declaredField } from '#entities/define/entity.ts'
import type { FieldValue } from '#entities/define/row.ts'
import { getEntity } from '#entities/index.ts'
import { FieldCell } from '#web/resource/field-cell.tsx'
import { FieldInput } from '#web/resource/form/field-input.tsx'
import { useEntityWords } from '#web/resource/words.ts'
import type { YearWizard } from './use-year-wizard.ts'
import classes from './year.module.css'

const shownAtFirst = 20

type Props = { section: PlannedSection; wizard: YearWizard; readOnly?: boolean }

/** Rows of one section by wave, old values beside new ones; editable values have inputs. */
export function PlannedRows({ section, wizard, readOnly }: Props) {
  const { t } = useTranslation('admission-year')
  const [showsAll, setAll] = useState(false)
  const waves = wizard.yearPreview?.sections.find(({ key }) => key === 'waves')?.rows ?? []
  const groups = [...Map.groupBy(section.rows.slice(0, showsAll ? undefined : shownAtFirst), ({ waveId }) => waveId)]
  if (section.rows.length === 0) return <Text c="dimmed">{t('noRows')}</Text>
  return (
    <>
      {groups.map(([waveId, rows]) => {
        const wave = waves.find(({ id }) => id === waveId)
        return (
          <div key={waveId}>
            {wave && section.key !== 'waves' && (
              <Text fw={600} size="sm" mt="sm" mb={4}>
                {wave.title} → {String(wave.to.name)} ({String(wave.to.code)})
              </Text>
            )}
            <ul className={classes.rows}>
              {rows.map((row) => (
                <PlannedItem key={row.id} section={section} row={row} wizard={wizard} readOnly={readOnly ?? false} />
              ))}
            </ul>
          </div>
        )
      })}
      {!showsAll && section.rows.length > shownAtFirst && (
        <Button variant="default" size="sm" mt="sm" onClick={() => setAll(true)}>
          {t('showAll', { count: section.rows.length })}
        </Button>
      )}
    </>
  )
}

type ItemProps = { section: PlannedSection; row: PlannedRow; wizard: YearWizard; readOnly: boolean }

function PlannedItem({ section, row, wizard, readOnly }: ItemProps) {
  const { t } = useTranslation('admission-year')
  const { plan, yearPreview } = wizard
  const rules = sectionRules[section.key]
  const entity = getEntity(rules.entity)
  const { labelOf } = useEntityWords()
  const problems = yearPreview?.problems.filter(({ id }) => id === row.id) ?? []
  const errorOf = (field: string) => problems.find((problem) => problem.field === field)?.message
  const skippable = !readOnly && section.key !== 'tuition'
  const skipped = plan.skip.includes(row.id)
  const wholeWave = row.skipped && !skipped
  const editable = (key: string) => !readOnly && !row.skipped && rules.editable.includes(key)
  /** A single read-only amount fits beside its name. */
  const onlyField = rules.fields.length === 1 ? rules.fields[0] : undefined
  const fieldInLine = onlyField !== undefined && !editable(onlyField) ? onlyField : undefined
  const title = row.title || String(row.from.name ?? '') || t('everybody')
  const values = { ...row.to, ...(plan.edits[row.id] as Record<string, FieldValue> | undefined) } as Record<
    string,
    FieldValue
  >
  return (
    <li className={classes.row} data-skipped={row.skipped || undefined}>
      <div className={classes.rowHead}>
        {skippable ? (
          <Checkbox
            size="sm"
            label={title}
            checked={!skipped}
            disabled={wholeWave}
            onChange={(event) => wizard.take(row.id, event.currentTarget.checked)}
          />
        ) : (
          <Text size="sm" fw={500}>
            {title}
          </Text>
        )}
        {fieldInLine && !row.skipped && <OldAndNew entity={entity} name={fieldInLine} row={row} />}
        {plan.edits[row.id] && !readOnly && (
          <Anchor component="button" type="button" size="sm" onClick={() => wizard.forgetEdits(row.id)}>
            {t('forgetEdits')}
          </Anchor>
        )}
      </div>
      {!row.skipped && !fieldInLine && (
        <div className={classes.fields}>
          {rules.fields
            .filter((key) => row.from[key] !== null || row.to[key] !== null || editable(key))
            .map((key) =>
              editable(key) ? (
                <div key={key}>
                  <FieldInput
                    entity={entity}
                    name={key}
                    values={values}
                    error={errorOf(key)}
                    onChange={(value) =>
                      wizard.edit(row.id, key, value ?? (isText(declaredField(entity, key).kind) ? '' : null))
                    }
                  />
                  <Text size="xs" c="dimmed" mt={2}>
                    {t('was')} <FieldCell field={declaredField(entity, key)} value={row.from[key] as FieldValue} />
                  </Text>
                </div>
              ) : (
                <div key={key}>
                  <Text size="sm" c="dimmed">
                    {labelOf(entity, key)}
                  </Text>
                  <OldAndNew entity={entity} name={key} row={row} />
                  {errorOf(key) && (
                    <Text size="sm" className={classes.problem}>
                      {errorOf(key)}
                    </Text>
                  )}
                </div>
              ),
            )}
        </div>
      )}
      {!row.skipped && row.lines.length > 0 && (
        <details className={classes.lines}>
          <summary>{t(section.key === 'tuition' ? 'components' : 'terms', { count: row.lines.length })}</summary>
          <ul>
            {row.lines.map((line) => (
              <li key={`${line.title}${line.from}`}>
                {line.title}: {line.from} → <strong>{line.to}</strong>
              </li>
            ))}
          </ul>
        </details>
      )}
      {problems
        .filter(({ field }) => !rules.fields.includes(field))
        .map(({ field, message }) => (
          <Text key={field} size="sm" className={classes.problem}>
            {message}
          </Text>
        ))}
    </li>
  )
}

function OldAndNew({ entity, name, row }: { entity: Entity; name: string; row: PlannedRow }) {
  const field = declaredField(entity, name)
  return (
    <Text size="sm" component="div" className="tabular">
      <FieldCell field={field} value={row.from[name] as FieldValue} />
      {' → '}
      <strong>
        <FieldCell field={field} value={row.to[name] as FieldValue} />
      </strong>
    </Text>
  )
}

const isText = (kind: string) => kind === 'text' || kind === 'code'
