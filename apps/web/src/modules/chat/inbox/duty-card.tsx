import { Checkbox, Group, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ChatTeam, chatTeams } from '#domain/chat/chat.ts'
import { listAgents, saveOwnDuty } from '#domain/chat/endpoints.ts'
import { listConversations } from '#domain/chat/lists.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import classes from './inbox.module.css'

/** Whether the reader is at work, and for which teams. */
export function DutyCard() {
  const { t } = useTranslation(['inbox', 'chat'])
  const { data } = useEndpoint(listAgents)
  const { act, running } = useAction(keyOf(listAgents), keyOf(listConversations))
  const own = data?.data[0]
  if (!own) return null
  const save = (change: Partial<{ teams: ChatTeam[]; onDuty: boolean }>) =>
    act(
      'save',
      () => sendOnce(saveOwnDuty, { body: { teams: own.teams, onDuty: own.onDuty, ...change } }),
      () => t('dutySaved'),
    )
  return (
    <Group className={classes.duty} gap="lg" mb="md">
      <Switch
        label={t('duty')}
        description={t('dutyHelp')}
        checked={own.onDuty}
        disabled={running !== undefined}
        onChange={(event) => save({ onDuty: event.currentTarget.checked })}
      />
      <Checkbox.Group label={t('teams')} value={own.teams} onChange={(teams) => save({ teams: teams as ChatTeam[] })}>
        <Group mt={4}>
          {chatTeams.map((team) => (
            <Checkbox key={team} value={team} label={t(`chat:team.${team}`)} disabled={running !== undefined} />
          ))}
        </Group>
      </Checkbox.Group>
    </Group>
  )
}
