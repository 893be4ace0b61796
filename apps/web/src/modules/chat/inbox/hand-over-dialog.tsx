import { Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatTeam, chatTeams } from '#domain/chat/chat.ts'
import { type Conversation, handOverConversation, listAgents } from '#domain/chat/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { DialogForm } from '#web/ui/form/form.tsx'

/** Gives a conversation to a colleague at work or to the queue of a team, with a note. */
export function HandOverDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTranslation(['inbox', 'chat'])
  const { data: agents } = useEndpoint(listAgents)
  const [team, setTeam] = useState<ChatTeam>(conversation.team)
  const [assigneeId, setAssignee] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const form = useForm({
    call: handOverConversation,
    params: { id: conversation.id },
    body: { team, assigneeId, note },
    done: t('handedOver'),
    onDone: onClose,
  })
  const colleagues = (agents?.data ?? []).filter((agent) => agent.onDuty && agent.id !== conversation.assignee?.id)
  return (
    <DialogForm title={t('handOver')} submit={t('handOver')} form={form} onClose={onClose}>
      <Select
        label={t('column.team')}
        data={chatTeams.map((value) => ({ value, label: t(`chat:team.${value}`) }))}
        value={team}
        allowDeselect={false}
        {...form.field('team')}
        onChange={(value) => setTeam(value as ChatTeam)}
      />
      <Select
        label={t('handOverTo')}
        placeholder={t('toQueue')}
        data={colleagues.map(({ id, name, open }) => ({
          value: id,
          label: `${name} (${t('openCount', { count: open })})`,
        }))}
        value={assigneeId}
        clearable
        {...form.field('assigneeId')}
        onChange={setAssignee}
      />
      <Textarea
        label={t('handOverNote')}
        description={t('noteHelp')}
        value={note}
        minRows={3}
        {...form.field('note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
