package dev.ratelimit.test.fault;

/**
 * Closes the connection in the middle of a reply.
 */
final class CutReplies implements ReplyFault {

	private int left;

	CutReplies(int bytes) {
		this.left = bytes;
	}

	@Override
	public Passage pass(byte[] bytes) {
		int length = Math.min(this.left, bytes.length);
		this.left -= length;
		return new Passage(length, (this.left == 0) ? Then.CLOSE : Then.GO_ON);
	}

}
