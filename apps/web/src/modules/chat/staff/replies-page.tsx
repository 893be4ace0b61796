import { Button, Checkbox, Select, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatTeam, chatTeams, replyPlaceholders } from '#domain/chat/chat.ts'
import { createReply, updateReply } from '#domain/chat/endpoints.ts'
import { listReplies, type ReplyRow } from '#domain/chat/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { useBraceWarning } from '#web/shell/use-brace-warning.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { officeOnly } from './office-only.tsx'

function RepliesPage() {
  const { t } = useTranslation('inbox')
  const { mayCall } = useSession()
  const [open, setOpen] = useState<ReplyRow | 'new' | null>(null)
  return (
    <>
      <DataList
        list={listReplies}
        title={useScreenTitle()}
        rowTitle={({ title }) => title}
        onOpen={mayCall(updateReply) ? setOpen : undefined}
        dimmed={({ active }) => !active}
        actions={mayCall(createReply) && <Button onClick={() => setOpen('new')}>{t('newReply')}</Button>}
        empty={{ title: t('noReplies') }}
      />
      {open && <ReplyDialog row={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </>
  )
}

type Values = { title: string; team: ChatTeam | null; bodyId: string; bodyEn: string; active: boolean }
const empty: Values = { title: '', team: null, bodyId: '', bodyEn: '', active: true }

function ReplyDialog({ row, onClose }: { row: ReplyRow | null; onClose: () => void }) {
  const { t } = useTranslation(['inbox', 'chat'])
  const form = useForm({
    call: row ? updateReply : createReply,
    ...(row && { params: { id: row.id } }),
    start: (): Values => {
      if (!row) return empty
      const { title, team, bodyId, bodyEn, active } = row
      return { title, team, bodyId, bodyEn, active }
    },
    body: (values) => ({ ...values, ...(row && { version: row.version }) }),
    done: t('replySaved'),
    onDone: onClose,
  })
  const braceWarning = useBraceWarning()
  return (
    <DialogForm title={t(row ? 'editReply' : 'newReply')} form={form} submit={t('save')} onClose={onClose}>
      <TextInput label={t('replyColumn.title')} data-autofocus {...form.text('title')} />
      <Select
        label={t('replyColumn.team')}
        placeholder={t('everyTeam')}
        clearable
        data={chatTeams.map((team) => ({ value: team, label: t(`chat:team.${team}`) }))}
        {...form.value('team')}
      />
      <Text size="sm" c="dimmed">
        {t('placeholders', { names: replyPlaceholders.map((name) => `{{${name}}} (${t(`fact.${name}`)})`).join(', ') })}
      </Text>
      <Textarea
        label={t('replyColumn.bodyId')}
        description={braceWarning(form.values.bodyId)}
        {...form.text('bodyId')}
      />
      <Textarea
        label={t('replyColumn.bodyEn')}
        description={braceWarning(form.values.bodyEn)}
        {...form.text('bodyEn')}
      />
      <Checkbox label={t('replyColumn.active')} {...form.box('active')} />
    </DialogForm>
  )
}

export default officeOnly(RepliesPage)
