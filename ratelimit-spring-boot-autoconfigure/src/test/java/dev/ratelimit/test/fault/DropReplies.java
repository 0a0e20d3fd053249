package dev.ratelimit.test.fault;

/**
 * Drops replies and then resets the connection. It cannot be replaced by another fault,
 * because the client would match later replies to the wrong calls.
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
