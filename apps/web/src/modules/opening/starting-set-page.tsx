import { Accordion, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { addStartingSet, readStartingSet, type StartingSection } from '#domain/opening/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { StickyBar } from '#web/ui/sticky-bar.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Reference data to start with: previews row by row what would be added. */
export default function StartingSetPage() {
  const { t } = useTranslation('opening')
  const title = useScreenTitle()
  const answer = useEndpoint(readStartingSet)
  const sections = answer.data?.data
  return (
    <>
      <PageHeader title={title} description={t('set.text')} />
      {answer.isPending && <LoadingRows rows={8} />}
      {answer.isError && !sections && <LoadFailed error={answer.error} onRetry={answer.refetch} />}
      {sections && <Choice sections={sections} />}
    </>
  )
}

const newRowsOf = ({ rows, missingPermission }: StartingSection) =>
  missingPermission ? [] : rows.filter(({ exists }) => !exists)

function Choice({ sections }: { sections: readonly StartingSection[] }) {
  const { t } = useTranslation('opening')
  const mayEdit = useSession().may('settings-opening-update')
  const [omitted, setOmitted] = useState<ReadonlySet<string>>(new Set())
  const newRows = sections.flatMap(newRowsOf)
  const existing = new Set(sections.flatMap(({ rows }) => rows.filter(({ exists }) => exists).map(({ key }) => key)))
  const ticked = new Set(newRows.filter(({ key }) => !omitted.has(key)).map(({ key }) => key))
  const isPossible = (needs: string | null) => needs === null || existing.has(needs) || ticked.has(needs)
  const chosen = newRows.filter(({ key, needs }) => ticked.has(key) && isPossible(needs)).map(({ key }) => key)
  const form = useForm({
    call: addStartingSet,
    body: { keys: chosen },
    done: ({ data }) => t('set.added', { count: data.added }),
  })
  const choose = (keys: readonly string[], checked: boolean) =>
    setOmitted((before) => {
      const next = new Set(before)
      for (const key of keys) checked ? next.delete(key) : next.add(key)
      return next
    })
  const back = (
    <Button component={Link} to="/settings/opening" variant="default">
      {t('set.back')}
    </Button>
  )
  if (sections.every(({ rows }) => rows.every(({ exists }) => exists)))
    return (
      <Card>
        <EmptyState title={t('set.complete')}>
          <Text>{t('set.completeText')}</Text>
          {back}
        </EmptyState>
      </Card>
    )
  return (
    <PageForm
      form={form}
      submit={null}
      layOut={() => (
        <StickyBar>
          {mayEdit && (
            <DisabledReason
              type="submit"
              reason={chosen.length === 0 ? t('set.nothingChosen') : null}
              loading={form.busy}
            >
              {t('set.add', { count: chosen.length })}
            </DisabledReason>
          )}
          {back}
        </StickyBar>
      )}
    >
      <Accordion variant="separated" multiple keepMounted={false}>
        {sections.map((section) => {
          const keys = newRowsOf(section).map(({ key }) => key)
          return (
            <Accordion.Item key={section.kind} value={section.kind}>
              <Accordion.Control>
                {t(`set.kinds.${section.kind}`)}{' '}
                <Text component="span" size="sm" c="dimmed">
                  {section.rows.every(({ exists }) => exists)
                    ? t('set.allExist')
                    : section.missingPermission
                      ? t('set.notAllowed')
                      : t('set.chosen', {
                          chosen: keys.filter((key) => chosen.includes(key)).length,
                          count: keys.length,
                        })}
                </Text>
              </Accordion.Control>
              <Accordion.Panel>
                <Stack gap="xs">
                  {keys.length > 1 && (
                    <Group gap="xs">
                      <Button size="compact-md" variant="default" onClick={() => choose(keys, true)}>
                        {t('set.all')}
                      </Button>
                      <Button size="compact-md" variant="default" onClick={() => choose(keys, false)}>
                        {t('set.none')}
                      </Button>
                    </Group>
                  )}
                  {section.rows.map((row) => (
                    <Row
                      key={row.key}
                      row={row}
                      checked={row.exists || chosen.includes(row.key)}
                      disabled={!mayEdit || row.exists || !keys.includes(row.key) || !isPossible(row.needs)}
                      onChange={(checked) => choose([row.key], checked)}
                    />
                  ))}
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
    </PageForm>
  )
}

type RowProps = {
  row: StartingSection['rows'][number]
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}

function Row({ row: { title, note, exists }, checked, disabled, onChange }: RowProps) {
  const { t } = useTranslation('opening')
  const { language } = useSurroundings()
  return (
    <Checkbox
      label={title[language]}
      description={[note?.[language], exists && t('set.exists')].filter(Boolean).join(' · ')}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
