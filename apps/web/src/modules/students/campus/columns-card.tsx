import { ActionIcon, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type CampusMapping, saveCampusMapping } from '#domain/students/campus/endpoints.ts'
import { type CampusField, campusFields } from '#domain/students/campus/fields.ts'
import { dateTime } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { UnsavedGuard } from '#web/resource/form/unsaved-guard.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { Failure } from '#web/ui/states/failure.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './columns.module.css'

/** The columns in order, each with its heading; read-only without permission to change student numbers. */
export function ColumnsCard({ mapping }: { mapping: CampusMapping }) {
  const { t } = useTranslation('campus')
  const { language } = useSurroundings()
  const { mayCall } = useSession()
  const mayEdit = mayCall(saveCampusMapping)
  const form = useForm({
    call: saveCampusMapping,
    start: { columns: mapping.columns },
    body: ({ columns }) => ({ columns, version: mapping.version }),
    done: t('csv.saved'),
  })
  const { columns } = form.values
  const setColumns = (changed: typeof columns) => form.set({ columns: changed })
  const isDirty = JSON.stringify(columns) !== JSON.stringify(mapping.columns)
  const fieldName = (field: CampusField) => t(`field.${field}`)
  const unused = campusFields.filter((field) => !columns.some((column) => column.field === field))
  const swap = (index: number) =>
    setColumns([...columns.slice(0, index), columns[index + 1]!, columns[index]!, ...columns.slice(index + 2)])
  const { edited } = mapping
  return (
    <Card title={t('csv.columns')}>
      <UnsavedGuard dirty={isDirty && !form.busy} />
      <PageForm form={form} submit={mayEdit ? t('csv.save') : null} button={{ disabled: !isDirty }}>
        <Text size="sm" c="dimmed">
          {edited ? t('csv.edited', { when: dateTime(edited.at, language), by: edited.by }) : t('csv.never')}{' '}
          {!mayEdit && t('csv.readOnly')}
        </Text>
        <ol className={classes.columns}>
          {columns.map(({ field, heading }, index) => (
            <li key={field}>
              <TextInput
                label={t('csv.heading', { field: fieldName(field) })}
                value={heading}
                readOnly={!mayEdit}
                onChange={({ currentTarget: { value } }) =>
                  setColumns(columns.map((one) => (one.field === field ? { field, heading: value } : one)))
                }
                {...form.field(`columns.${index}.heading`)}
              />
              {mayEdit && (
                <Group gap={4} wrap="nowrap">
                  <ActionIcon
                    variant="default"
                    size="input-sm"
                    disabled={index === 0}
                    aria-label={t('csv.up', { field: fieldName(field) })}
                    onClick={() => swap(index - 1)}
                    children={<IconArrowUp size={18} aria-hidden />}
                  />
                  <ActionIcon
                    variant="default"
                    size="input-sm"
                    disabled={index === columns.length - 1}
                    aria-label={t('csv.down', { field: fieldName(field) })}
                    onClick={() => swap(index)}
                    children={<IconArrowDown size={18} aria-hidden />}
                  />
                  <ActionIcon
                    variant="default"
                    size="input-sm"
                    disabled={columns.length === 1}
                    aria-label={t('csv.remove', { field: fieldName(field) })}
                    onClick={() => setColumns(columns.filter((one) => one.field !== field))}
                    children={<IconX size={18} aria-hidden />}
                  />
                </Group>
              )}
            </li>
          ))}
        </ol>
        {mayEdit && unused.length > 0 && (
          <Select
            label={t('csv.add')}
            placeholder={t('csv.addPlaceholder')}
            data={unused.map((field) => ({ value: field, label: fieldName(field) }))}
            value={null}
            onChange={(field) => field && setColumns([...columns, { field: field as CampusField, heading: field }])}
          />
        )}
        <Stack gap={0}>
          <Failure>{form.errorOf('columns')}</Failure>
          {isDirty && (
            <Text size="sm" role="status">
              {t('csv.unsaved')}
            </Text>
          )}
        </Stack>
      </PageForm>
    </Card>
  )
}
