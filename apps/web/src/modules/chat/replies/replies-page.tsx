import { Button, Select, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatTeam, chatTeams, replyPlaceholders } from '#domain/chat/chat.ts'
import { createReply, updateReply } from '#domain/chat/endpoints.ts'
import { listReplies, type ReplyRow } from '#domain/chat/lists.ts'
import { useForm } from '#web/api/use-form.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { DialogForm } from '#web/ui/form/form.tsx'

/** Canned replies of the office. */
export default function RepliesPage() {
  const { t } = useTranslation('inbox')
  const [edited, setEdited] = useState<ReplyRow | 'new' | null>(null)
  return (
    <>
      <DataList
        list={listReplies}
        title={useScreenTitle()}
        rowTitle={({ title }) => title}
        onOpen={setEdited}
        actions={<Button onClick={() => setEdited('new')}>{t('newReply')}</Button>}
        empty={{ title: t('noReplies') }}
      />
      {edited && <ReplyDialog reply={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  )
}

function ReplyDialog({ reply, onClose }: { reply: ReplyRow | null; onClose: () => void }) {
  const { t } = useTranslation(['inbox', 'chat'])
  const [values, setValues] = useState({
    title: reply?.title ?? '',
    team: reply?.team ?? null,
    bodyId: reply?.bodyId ?? '',
    bodyEn: reply?.bodyEn ?? '',
    active: reply?.active ?? true,
  })
  const change = (part: Partial<typeof values>) => setValues((before) => ({ ...before, ...part }))
  const form = useForm({
    call: (reply ? updateReply : createReply) as typeof updateReply,
    params: { id: reply?.id ?? '' },
    body: { ...values, ...(reply && { version: reply.version }) } as typeof values & { version: number },
    done: t('replySaved'),
    onDone: onClose,
  })
  return (
    <DialogForm title={t(reply ? 'editReply' : 'newReply')} submit={t('saveReply')} form={form} onClose={onClose}>
      <TextInput
        label={t('replyColumn.title')}
        value={values.title}
        {...form.field('title')}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Select
        label={t('replyColumn.team')}
        placeholder={t('everyTeam')}
        clearable
        data={chatTeams.map((value) => ({ value, label: t(`chat:team.${value}`) }))}
        value={values.team}
        {...form.field('team')}
        onChange={(value) => change({ team: value as ChatTeam | null })}
      />
      <Text size="sm" c="dimmed">
        {t('placeholders', { names: replyPlaceholders.map((name) => `{${name}}`).join(' ') })}
      </Text>
      <Textarea
        label={t('replyColumn.bodyId')}
        autosize
        minRows={3}
        value={values.bodyId}
        {...form.field('bodyId')}
        onChange={(event) => change({ bodyId: event.currentTarget.value })}
      />
      <Textarea
        label={t('replyColumn.bodyEn')}
        autosize
        minRows={3}
        value={values.bodyEn}
        {...form.field('bodyEn')}
        onChange={(event) => change({ bodyEn: event.currentTarget.value })}
      />
      <Switch
        label={t('replyColumn.active')}
        checked={values.active}
        {...form.field('active')}
        onChange={(event) => change({ active: event.currentTarget.checked })}
      />
    </DialogForm>
  )
}
