package dev.ratelimit.test.fault;

/**
 * Swallows replies and then resets the connection. It cannot be called off: replies that
 * came after those that are missing would answer other questions.
 */
final class DropReplies implements ReplyFault {

	private final ReplyCounter replies = new ReplyCounter();

	private final int count;

	DropReplies(int count) {
		this.count = count;
	}

	@Override
	public Passage pass(byte[] bytes) {
		this.replies.count(bytes);
		return new Passage(0, (this.replies.complete() >= this.count) ? Then.RESET : Then.GO_ON);
	}

	@Override
	public ReplyFault replacedBy(ReplyFault wanted) {
		return this;
	}

}
