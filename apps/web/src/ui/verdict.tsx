import { Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconQuestionMark } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Card } from './card.tsx'
import { Facts } from './facts.tsx'
import { LoadingRows } from './states/loading-rows.tsx'

const signs = { done: IconCircleCheck, stopped: IconCircleX, attention: IconQuestionMark }

export type Fact = readonly [label: string, value: ReactNode]

type Props = {
  title: string
  isPending: boolean
  tone: keyof typeof signs
  verdict: string
  hint?: string | undefined
  facts: readonly Fact[]
  note?: string
}

/** Whether a printed document is genuine and still valid: the page its QR code opens. */
export function Verdict({ title, isPending, tone, verdict, hint, facts, note }: Props) {
  const Sign = signs[tone]
  return (
    <Stack maw={480} mx="auto" gap="lg">
      <Title order={1}>{title}</Title>
      <Card>
        {isPending ? (
          <LoadingRows rows={4} />
        ) : (
          <Stack gap="md">
            <Stack align="center" gap={4} ta="center" role="status">
              <Sign size={72} stroke={1.5} aria-hidden="true" color={`var(--pmb-tone-${tone})`} />
              <Title order={2}>{verdict}</Title>
              {hint && <Text c="dimmed">{hint}</Text>}
            </Stack>
            {facts.length > 0 && <Facts facts={facts} />}
            {note && (
              <Text size="sm" c="dimmed">
                {note}
              </Text>
            )}
          </Stack>
        )}
      </Card>
    </Stack>
  )
}
