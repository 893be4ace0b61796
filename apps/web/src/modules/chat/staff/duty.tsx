import { Button, Checkbox, Group, Popover, Stack, Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { chatTeams } from '#domain/chat/chat.ts'
import { type ChatAgent, listAgents, saveOwnDuty } from '#domain/chat/endpoints.ts'
import { listConversations } from '#domain/chat/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

/** Sets whether the signed-in agent is on duty, and for which teams. */
export function DutyButton({ agent }: { agent: ChatAgent | undefined }) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { running, act } = useAction(keyOf(listAgents), keyOf(listConversations))
  if (!agent) return null
  const { teams, onDuty } = agent
  const save = (change: Partial<Pick<ChatAgent, 'teams' | 'onDuty'>>) =>
    act(
      'duty',
      () => sendOnce(saveOwnDuty, { body: { teams, onDuty, ...change } }),
      () => t('dutySaved'),
    )
  return (
    <Popover position="bottom-end" width={320} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default">
          <StatusDot tone={onDuty ? 'done' : 'waiting'} label={t(onDuty ? 'duty' : 'offDuty')} />
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 16px)" aria-label={t('duty')}>
        <Stack gap="sm">
          <Switch
            label={t('duty')}
            checked={onDuty}
            disabled={running === 'duty'}
            onChange={(event) => void save({ onDuty: event.currentTarget.checked })}
          />
          <Text size="sm" c="dimmed">
            {t('dutyHelp')}
          </Text>
          <Checkbox.Group
            label={t('teams')}
            value={teams}
            onChange={(values) => void save({ teams: chatTeams.filter((team) => values.includes(team)) })}
          >
            <Group mt="xs">
              {chatTeams.map((team) => (
                <Checkbox
                  key={team}
                  value={team}
                  label={t(`chat:team.${team}`)}
                  // The server requires at least one team.
                  disabled={running === 'duty' || (teams.length === 1 && teams[0] === team)}
                />
              ))}
            </Group>
          </Checkbox.Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
