import { Box, SimpleGrid, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { createLetterKind, type LetterKind, readLetterKind, updateLetterKind } from '#domain/letters/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { boundTo, useForm } from '#web/api/use-form.ts'
import { Forbidden } from '#web/modules/errors/forbidden.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { DraftSaved, useDraft } from '#web/ui/form/draft.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { KindFields, startOf } from './kind-fields.tsx'
import { LetterPreview, Placeholders } from './letter-preview.tsx'
import { SignatureCard } from './signature-card.tsx'

/** Adds or changes a kind of letter, with a live preview of its text. */
export default function LetterKindPage() {
  const { id } = useParams()
  const title = useScreenTitle()
  const { t } = useTranslation('letters')
  const { mayCall } = useSession()
  const answer = useEndpoint(
    readLetterKind,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, refetchOnWindowFocus: false },
  )
  const kind = id ? answer.data?.data : undefined
  const { language } = useSurroundings()
  const name = kind && (language === 'en' ? kind.nameEn : kind.nameId)
  usePageTitle(name ?? null)
  if (!mayCall(id ? updateLetterKind : createLetterKind)) return <Forbidden />
  if (id && !kind) return <LoadingRecord error={answer.error} onRetry={answer.refetch} rows={8} />
  return (
    <>
      <PageHeader title={name ?? title} description={kind && t('form.newVersion', { version: kind.templateVersion })} />
      <KindForm key={kind ? `${kind.id} ${kind.version}` : 'new'} kind={kind} />
    </>
  )
}

function KindForm({ kind }: { kind: LetterKind | undefined }) {
  const { t } = useTranslation(['letters', 'common'])
  const navigate = useNavigate()
  const [values, setValues, draft] = useDraft(
    `letter-kind:${kind ? `${kind.id}:${kind.version}` : 'new'}`,
    startOf(kind),
  )
  const { code, ...content } = values
  const form = useForm({
    call: kind ? updateLetterKind : createLetterKind,
    params: kind && { id: kind.id },
    body: kind ? { version: kind.version, ...content } : { code: code || null, ...content },
    done: t('form.saved'),
    onDone: ({ data }) => {
      draft.clear()
      if (!kind) navigate(`/surat/${data.id}`)
    },
  })
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
      <Card>
        <PageForm
          form={form}
          submit={t('common:actions.save')}
          beside={<DraftSaved savedAt={draft.savedAt} failed={draft.failed} />}
        >
          <KindFields
            form={boundTo(form, { values, set: (change) => setValues((before) => ({ ...before, ...change })) })}
            isNew={!kind}
          />
        </PageForm>
      </Card>
      <Box>
        <Stack>
          <Placeholders />
          <LetterPreview values={values} />
          {kind && <SignatureCard kind={kind} />}
        </Stack>
      </Box>
    </SimpleGrid>
  )
}
