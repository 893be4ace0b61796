/** Event of answers in a conversation, and of the notice that an answer has not been read. */
export const chatAnswerEvent = 'chat-answer'
