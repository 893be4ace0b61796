import { ActionIcon, Checkbox, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Channel } from '#domain/campaigns/campaigns.ts'
import type { CheckedField } from '#web/api/use-checks.ts'
import classes from './form.module.css'

type Props = Pick<CheckedField, 'error' | 'wrapperProps'> & {
  offered: readonly Channel[]
  /** Chosen channels in the order they are tried. */
  value: readonly Channel[]
  onChange: (channels: Channel[]) => void
}

function moved(channels: readonly Channel[], from: number, to: number): Channel[] {
  const rest = channels.filter((_, index) => index !== from)
  return [...rest.slice(0, to), channels[from]!, ...rest.slice(to)]
}

/** Orders channels by dragging or by buttons. Unticked channels are not used. */
export function ChannelOrder({ offered, value, onChange, error, wrapperProps }: Props) {
  const { t } = useTranslation(['send', 'campaigns'])
  const list = useRef<HTMLOListElement>(null)
  const [dragIndex, setDragIndex] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const nameOf = (channel: Channel) => t(`campaigns:channel.${channel}`)
  const rows = [...value, ...offered.filter((channel) => !value.includes(channel))]

  function move(from: number, to: number) {
    const channel = value[from]!
    onChange(moved(value, from, to))
    setAnnouncement(t('way.moved', { channel: nameOf(channel), place: to + 1 }))
    // At either end of the list the pressed button is disabled, so the opposite button gets the focus.
    requestAnimationFrame(() => {
      const row = list.current?.querySelector(`[data-channel=${channel}]`)
      const [pressed, other] = (to < from ? ['up', 'down'] : ['down', 'up']).map((action) =>
        row?.querySelector<HTMLButtonElement>(`[data-action=${action}]`),
      )
      ;(pressed?.disabled ? other : pressed)?.focus()
    })
  }

  const dragProps = (index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      setDragIndex(index)
    },
    onDragEnd: () => setDragIndex(null),
    onDragOver: (event: DragEvent) => dragIndex !== null && event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      if (dragIndex !== null && dragIndex !== index) move(dragIndex, index)
      setDragIndex(null)
    },
  })

  return (
    <Stack gap={6} role="group" aria-label={t('way.channels')} {...wrapperProps}>
      <Text size="sm" fw={500}>
        {t('way.channels')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('way.channelsHelp')}
      </Text>
      <ol className={classes.channels} ref={list}>
        {rows.map((channel, index) => {
          const isChosen = index < value.length
          return (
            <li
              key={channel}
              data-channel={channel}
              data-dragged={index === dragIndex || undefined}
              className={classes.channel}
              {...(isChosen && value.length > 1 && dragProps(index))}
            >
              <span className={classes.grip} aria-hidden="true">
                {isChosen && value.length > 1 && <IconGripVertical size={16} />}
              </span>
              <Checkbox
                className={classes.channelName}
                label={isChosen ? `${index + 1}. ${nameOf(channel)}` : nameOf(channel)}
                description={t(`way.channelHelp.${channel}`)}
                checked={isChosen}
                onChange={() => onChange(isChosen ? value.filter((other) => other !== channel) : [...value, channel])}
              />
              {isChosen && value.length > 1 && (
                <Group gap={4} wrap="nowrap">
                  <ActionIcon
                    variant="default"
                    size={36}
                    data-action="up"
                    disabled={index === 0}
                    aria-label={t('way.up', { channel: nameOf(channel) })}
                    onClick={() => move(index, index - 1)}
                  >
                    <IconArrowUp size={18} aria-hidden="true" />
                  </ActionIcon>
                  <ActionIcon
                    variant="default"
                    size={36}
                    data-action="down"
                    disabled={index === value.length - 1}
                    aria-label={t('way.down', { channel: nameOf(channel) })}
                    onClick={() => move(index, index + 1)}
                  >
                    <IconArrowDown size={18} aria-hidden="true" />
                  </ActionIcon>
                </Group>
              )}
            </li>
          )
        })}
      </ol>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </Stack>
  )
}
