import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readOpening } from '#domain/opening/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { ChecklistLine } from './checklist-line.tsx'
import classes from './opening.module.css'
import { OpeningState } from './opening-state.tsx'

const ways = [
  { name: 'startingSet', text: 'startingSetText', to: '/settings/opening/starting-set' },
  { name: 'workbook', text: 'workbookText', to: '/settings/opening/workbook' },
  { name: 'trial', text: 'trialText', to: '/settings/opening/trial' },
] as const

/** Whether registration is open, what is missing for it, and the button that opens it. */
export default function OpeningPage() {
  const { t } = useTranslation('opening')
  const title = useScreenTitle()
  const answer = useEndpoint(readOpening)
  const opening = answer.data?.data
  return (
    <>
      <PageHeader title={title} />
      {answer.isPending && <LoadingRows rows={8} />}
      {answer.isError && !opening && <LoadFailed error={answer.error} onRetry={answer.refetch} />}
      {opening && (
        <Stack>
          <OpeningState opening={opening} />
          <Card title={t('ways')}>
            <Text size="sm" c="dimmed" mb="sm">
              {t('waysText')}
            </Text>
            <ul className={classes.ways}>
              {ways.map(({ name, text, to }) => (
                <li key={name}>
                  <Button component={Link} to={to} variant="default" fullWidth>
                    {t(name)}
                  </Button>
                  <Text size="sm" mt={4}>
                    {t(text)}
                  </Text>
                </li>
              ))}
            </ul>
          </Card>
          <Card
            title={t('checklist')}
            count={t('progress', {
              done: opening.lines.filter(({ state }) => state === 'done' || state === 'waived').length,
              count: opening.lines.length,
            })}
            flush
          >
            <ol className={classes.lines}>
              {opening.lines.map((line) => (
                <ChecklistLine key={line.line} line={line} />
              ))}
            </ol>
          </Card>
        </Stack>
      )}
    </>
  )
}
