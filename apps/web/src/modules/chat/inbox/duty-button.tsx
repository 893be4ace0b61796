import { Button, Checkbox, Popover, Stack, Switch } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type ChatTeam, chatTeams } from '#domain/chat/chat.ts'
import { listAgents, saveOwnDuty } from '#domain/chat/endpoints.ts'
import { listConversations } from '#domain/chat/lists.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'

/** Whether the reader is at work and for which teams, with the ways to the replies and the room. */
export function DutyButton() {
  const { t } = useTranslation(['inbox', 'chat'])
  const { data } = useEndpoint(listAgents)
  const { act, running } = useAction(keyOf(listAgents), keyOf(listConversations))
  const own = data?.data[0]
  const save = (change: Partial<{ teams: ChatTeam[]; onDuty: boolean }>) =>
    act(
      'save',
      () => sendOnce(saveOwnDuty, { body: { teams: own!.teams, onDuty: own!.onDuty, ...change } }),
      () => t('dutySaved'),
    )
  return (
    <Popover width={320} position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
          {t(own && !own.onDuty ? 'offDuty' : 'duty')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack>
          {own && (
            <>
              <Switch
                label={t('duty')}
                description={t('dutyHelp')}
                checked={own.onDuty}
                disabled={running !== undefined}
                onChange={(event) => save({ onDuty: event.currentTarget.checked })}
              />
              <Checkbox.Group
                label={t('teams')}
                value={own.teams}
                onChange={(teams) => save({ teams: teams as ChatTeam[] })}
              >
                <Stack gap="xs" mt={4}>
                  {chatTeams.map((team) => (
                    <Checkbox key={team} value={team} label={t(`chat:team.${team}`)} disabled={running !== undefined} />
                  ))}
                </Stack>
              </Checkbox.Group>
            </>
          )}
          <Button component={Link} to="/chat/private-chat/jawaban" variant="default">
            {t('repliesMenu')}
          </Button>
          <Button component={Link} to="/apps/chat/group-chat" variant="default">
            {t('room')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
