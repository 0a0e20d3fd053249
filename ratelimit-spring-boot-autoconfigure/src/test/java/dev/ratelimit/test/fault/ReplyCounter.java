package dev.ratelimit.test.fault;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts the complete replies in a RESP2 or RESP3 stream, regardless of how it is split.
 * Push messages are not counted.
 */
final class ReplyCounter {

	/** The number of missing elements of each open aggregate, the innermost first. */
	private final Deque<Integer> lacking = new ArrayDeque<>();

	private final StringBuilder line = new StringBuilder();

	private boolean pushed;

	private int textLeft;

	private int complete;

	int complete() {
		return this.complete;
	}

	void count(byte[] bytes) {
		for (byte next : bytes) {
			count((char) next);
		}
	}

	private void count(char next) {
		if (this.textLeft > 0) {
			this.textLeft--;
			endElementIf(this.textLeft == 0);
		}
		else if (next != '\n') {
			this.line.append(next);
		}
		else {
			begin(this.line.charAt(0), this.line.substring(1, this.line.length() - 1));
			this.line.setLength(0);
		}
	}

	private void begin(char type, String rest) {
		if (this.lacking.isEmpty()) {
			this.pushed = type == '>';
		}
		switch (type) {
			case '$', '=', '!' -> beginText(Integer.parseInt(rest));
			case '*', '~', '>' -> beginAggregate(Integer.parseInt(rest));
			case '%' -> beginAggregate(2 * Integer.parseInt(rest));
			default -> endElementIf(true);
		}
	}

	private void beginText(int length) {
		this.textLeft = (length < 0) ? 0 : length + 2;
		endElementIf(length < 0);
	}

	private void beginAggregate(int elements) {
		if (elements > 0) {
			this.lacking.push(elements);
		}
		endElementIf(elements <= 0);
	}

	private void endElementIf(boolean ended) {
		boolean open = ended;
		while (open && !this.lacking.isEmpty()) {
			int left = this.lacking.pop() - 1;
			open = left == 0;
			if (!open) {
				this.lacking.push(left);
			}
		}
		if (open && this.lacking.isEmpty() && !this.pushed) {
			this.complete++;
		}
	}

}
