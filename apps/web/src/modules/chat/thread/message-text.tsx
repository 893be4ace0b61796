import { Anchor } from '@mantine/core'

const address = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'])/g

export const MessageText = ({ children }: { children: string }) =>
  children.split(address).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <Anchor key={index} href={part} target="_blank" rel="noopener noreferrer" inherit>
        {part}
      </Anchor>
    ),
  )
