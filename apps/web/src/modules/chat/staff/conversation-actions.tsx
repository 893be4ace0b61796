import { Button, Select, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chatTeams } from '#domain/chat/chat.ts'
import {
  type ChatAgent,
  type Conversation,
  closeConversation,
  handOverConversation,
  readConversation,
  takeConversation,
} from '#domain/chat/endpoints.ts'
import { listConversations } from '#domain/chat/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import { useForm } from '#web/api/use-form.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useDoubleTapGuard } from '#web/ui/form/double-tap.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

type Props = { conversation: Conversation; agents: readonly ChatAgent[]; seenSeq: number }

export function ConversationActions({ conversation, agents, seenSeq }: Props) {
  const { t } = useTranslation('inbox')
  const { running, act } = useAction(keyOf(readConversation), keyOf(listConversations))
  const [isHandingOver, setHandingOver] = useState(false)
  const { may } = useSession()
  const { id, state, assignee, mine } = conversation
  const params = { id }
  const tapGuard = useDoubleTapGuard(`${state} ${assignee?.id}`)
  const button = { variant: 'default', style: tapGuard } as const
  return (
    <>
      {!assignee && state === 'open' && (
        <Button
          {...button}
          loading={running === 'take'}
          onClick={() =>
            act(
              'take',
              () => sendOnce(takeConversation, { params }),
              () => t('taken'),
            )
          }
        >
          {t('take')}
        </Button>
      )}
      {state === 'open' && (
        <>
          {(!assignee || mine || may('settings-roles-update')) && (
            <Button {...button} aria-haspopup="dialog" onClick={() => setHandingOver(true)}>
              {t('handOver')}
            </Button>
          )}
          <Button
            {...button}
            loading={running === 'close'}
            onClick={() =>
              act(
                'close',
                () => sendOnce(closeConversation, { params, body: { seenSeq } }),
                () => t('closed'),
              )
            }
          >
            {t('closeIt')}
          </Button>
        </>
      )}
      {isHandingOver && (
        <HandOverDialog conversation={conversation} agents={agents} onClose={() => setHandingOver(false)} />
      )}
    </>
  )
}

type HandOverProps = Omit<Props, 'seenSeq'> & { onClose: () => void }

function HandOverDialog({ conversation: { id, team, assignee }, agents, onClose }: HandOverProps) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { user } = useSession()
  const form = useForm({
    call: handOverConversation,
    params: { id },
    start: { team, assigneeId: null as string | null, note: '' },
    done: t('handedOver'),
    onDone: onClose,
  })
  // Leaves out the assigned agent. If no agent is assigned, leaves out the user, who can take the conversation instead.
  const holderId = assignee?.id ?? user?.id
  const colleagues = agents.filter((agent) => agent.onDuty && agent.id !== holderId)
  return (
    <DialogForm title={t('handOver')} form={form} submit={t('handOver')} onClose={onClose}>
      <Stack gap="md">
        <Select
          label={t('filter.team')}
          allowDeselect={false}
          data={chatTeams.map((value) => ({ value, label: t(`chat:team.${value}`) }))}
          {...form.choice('team')}
        />
        <Select
          label={t('handOverTo')}
          description={colleagues.length === 0 ? t('nobodyOnDuty') : undefined}
          disabled={colleagues.length === 0}
          placeholder={t('toQueue')}
          clearable
          searchable
          data={colleagues.map((agent) => ({
            value: agent.id,
            label: `${agent.name} (${t('openCount', { count: agent.open })})`,
          }))}
          {...form.value('assigneeId')}
        />
        <Textarea label={t('handOverNote')} description={t('noteHelp')} autosize minRows={2} {...form.text('note')} />
      </Stack>
    </DialogForm>
  )
}
