import { Alert, Anchor, Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { findJacketHolder, handOutJacket, type JacketHolder } from '#domain/students/jackets/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { useForm } from '#web/api/use-form.ts'
import { Scanner } from '#web/modules/door/scanner.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageForm } from '#web/ui/form/form.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { HandOutFacts } from './hand-out-facts.tsx'
import { HolderFacts } from './holder-facts.tsx'
import { SignedFields, signedOf, unsigned } from './signed-fields.tsx'

/** The desk: finds a student by number or card and hands out a jacket against a signature. */
export default function HandOutPage() {
  const title = useScreenTitle()
  const { t } = useTranslation('jackets')
  const [params, setParams] = useSearchParams()
  const [holder, setHolder] = useState<JacketHolder | null>(null)
  const codeInput = useRef<HTMLInputElement>(null)
  const finding = useForm({
    call: findJacketHolder,
    start: () => ({ code: params.get('code') ?? '' }),
    body: ({ code }) => ({ code: code.trim() }),
    onDone: ({ data }) => {
      setHolder(data)
      setParams({ code: data.code }, { replace: true })
    },
    onRefused: () => setHolder(null),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on arrival
  useEffect(() => {
    if (finding.values.code === '') codeInput.current?.focus()
    else void finding.send().catch(() => {})
  }, [])
  function startAgain() {
    setHolder(null)
    setParams({}, { replace: true })
    finding.reset({ code: '' })
    codeInput.current?.focus()
  }
  return (
    <>
      <PageHeader title={title} />
      <Stack maw={holder ? 1080 : 720}>
        <Card>
          <Stack>
            {!holder && (
              <Scanner
                onText={(text) => {
                  finding.set({ code: text })
                  void finding.send({ code: text }).catch(() => {})
                }}
              />
            )}
            <PageForm
              form={finding}
              submit={t('desk.find')}
              button={{ variant: holder ? 'default' : 'filled' }}
              beside={
                <Anchor component={Link} to="/jaket-mahasiswa">
                  {t('desk.byName')}
                </Anchor>
              }
            >
              <TextInput
                ref={codeInput}
                label={t('desk.code')}
                description={t('desk.codeHint')}
                autoComplete="off"
                {...finding.text('code')}
              />
            </PageForm>
          </Stack>
        </Card>
        {holder && <Desk key={holder.registrationId} holder={holder} onNext={startAgain} onChange={setHolder} />}
      </Stack>
    </>
  )
}

type DeskProps = { holder: JacketHolder; onNext: () => void; onChange: (holder: JacketHolder) => void }

function Desk({ holder, onNext, onChange }: DeskProps) {
  const { t } = useTranslation(['jackets', 'staff'])
  const { language } = useSurroundings()
  const { may } = useSession()
  const { registrationId, name } = holder
  const form = useForm({
    call: handOutJacket,
    start: { ...unsigned, size: holder.wanted },
    body: (jacket) => ({ registrationId, ...signedOf(jacket) }),
    done: (_, { size }) => t('desk.done', { name, size }),
    onDone: ({ data }) => onChange(data),
  })
  const held = holder.handOuts.find(({ endedAt }) => endedAt === null)
  const obstacle = held
    ? t('desk.held', { size: held.size, when: longDate(held.handedAt, language) })
    : holder.status === 'enrolled'
      ? null
      : holder.status === 'confirmed'
        ? t('desk.notEnrolled')
        : t('desk.ended', { status: t(`staff:status.${holder.status as 'withdrawn'}`) })
  const earlier = holder.handOuts.filter(({ endedAt }) => endedAt !== null)
  return (
    <Card title={name}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack>
          <HolderFacts holder={holder} />
          {earlier.map((handOut) => (
            <HandOutFacts key={handOut.id} handOut={handOut} />
          ))}
        </Stack>
        {obstacle ? (
          <Stack>
            <Alert color={held ? 'green' : 'yellow'} variant="light" role="status">
              {obstacle}
            </Alert>
            <Group>
              <Button onClick={onNext}>{t('desk.next')}</Button>
              {held && may('jaket-mahasiswa-update') && (
                <Anchor component={Link} to={`/jaket-mahasiswa/${registrationId}`}>
                  {t('desk.openJacket')}
                </Anchor>
              )}
            </Group>
          </Stack>
        ) : (
          <PageForm form={form} submit={t('desk.confirm')}>
            <SignedFields holder={holder} form={form} />
          </PageForm>
        )}
      </SimpleGrid>
    </Card>
  )
}
