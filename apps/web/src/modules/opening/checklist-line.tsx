import { Anchor, Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { checklistLines } from '#domain/opening/checklist.ts'
import { type Line, unwaiveLine, waiveLine } from '#domain/opening/endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { zoneName } from '#locales/zone-name.ts'
import { useForm } from '#web/api/use-form.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { useBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { StatusDot, type Tone } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './opening.module.css'

const tones: Record<Line['state'], Tone> = {
  missing: 'stopped',
  advisable: 'attention',
  done: 'done',
  waived: 'waiting',
}

/** A checklist line: what is missing, why it matters, and links to where it is fixed. */
export function ChecklistLine({ line: { line, state, gaps, gapCount, waiver } }: { line: Line }) {
  const { t } = useTranslation('opening')
  const { language } = useSurroundings()
  const mayEdit = useSession().may('settings-opening-update')
  const [waiving, setWaiving] = useState(false)
  const title = t(`lines.${line}.title`)
  return (
    <li className={classes.line}>
      <div className={classes.lineHead}>
        <Text component="h3" fw={600}>
          {title}
        </Text>
        <StatusDot tone={tones[state]} label={t(`states.${state}`)} />
      </div>
      <Text size="sm" c="dimmed">
        {t(`lines.${line}.${state === 'done' ? 'done' : 'why'}`)}
      </Text>
      {gaps.length > 0 && (
        <ul className={classes.gaps}>
          {gaps.map(({ code, params, to }) => {
            const sentence = t(`gaps.${code}`, params)
            return (
              <li key={`${code}${Object.values(params).join()}`}>
                {sentence}{' '}
                {to && (
                  <Anchor component={Link} to={to} inherit aria-label={`${t('mend')}: ${sentence}`}>
                    {t('mend')}
                  </Anchor>
                )}
              </li>
            )
          })}
          {gapCount > gaps.length && <li>{t('more', { count: gapCount - gaps.length })}</li>}
        </ul>
      )}
      {line === 'identity' && <Zone />}
      {state === 'waived' && waiver && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('waivedBy', { ...waiver, at: dateTime(waiver.at, language) })}
        </Text>
      )}
      {mayEdit && state === 'advisable' && checklistLines[line] === 'advisable' && (
        <Button size="compact-md" variant="default" onClick={() => setWaiving(true)} aria-haspopup="dialog">
          {t('waive')}
        </Button>
      )}
      {mayEdit && state === 'waived' && <TakeBack line={line} />}
      {waiving && <WaiveDialog line={line} title={title} onClose={() => setWaiving(false)} />}
    </li>
  )
}

function Zone() {
  const { t } = useTranslation('opening')
  const { timeZone } = useBranding()
  return (
    <Text size="sm">
      {t('zone', { zone: `${timeZone} (${zoneName(timeZone)})` })}{' '}
      <Anchor component={Link} to="/settings/general#place" inherit>
        {t('zoneChange')}
      </Anchor>
    </Text>
  )
}

type LineProps = { line: Line['line'] }

function WaiveDialog({ line, title, onClose }: LineProps & { title: string; onClose: () => void }) {
  const { t } = useTranslation('opening')
  return (
    <ReasonDialog
      call={waiveLine}
      body={{ line }}
      title={t('waiveTitle', { line: title })}
      submit={t('waive')}
      label={t('waiveReason')}
      done={t('waived')}
      onClose={onClose}
    />
  )
}

function TakeBack({ line }: LineProps) {
  const { t } = useTranslation('opening')
  const form = useForm({ call: unwaiveLine, body: { line }, done: t('unwaived') })
  const takeBack = () => form.send().catch(({ message }: Error) => notifications.show({ color: 'red', message }))
  return (
    <Button size="compact-md" variant="default" loading={form.busy} onClick={takeBack}>
      {t('unwaive')}
    </Button>
  )
}
