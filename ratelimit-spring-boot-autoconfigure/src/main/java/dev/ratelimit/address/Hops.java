package dev.ratelimit.address;

import java.util.List;

/**
 * The hops that a header names, from the nearest to the farthest: from the end of its
 * last line to the start of its first. What clients have sent is on the left, and is not
 * even looked at unless all to the right of it is trusted.
 */
final class Hops {

	private final AddressHeader.Kind kind;

	private final List<String> lines;

	private int line;

	/** Where the part of the line ends that is not read yet. */
	private int end;

	static Hops of(AddressHeader header, List<String> lines) {
		// Of two values, it is unknown which is the proxy's.
		boolean ambiguous = header.kind() == AddressHeader.Kind.SINGLE && lines.size() != 1;
		return new Hops(header.kind(), (ambiguous) ? List.of() : lines);
	}

	private Hops(AddressHeader.Kind kind, List<String> lines) {
		this.kind = kind;
		this.lines = lines;
		previousLine(lines.size());
	}

	boolean hasNext() {
		return this.line >= 0;
	}

	/**
	 * The next hop.
	 * @return its address, unknown if what the header says is none
	 */
	IpAddress next() {
		String text = this.lines.get(this.line);
		int comma = comma(text);
		int to = this.end;
		if (comma < 0) {
			previousLine(this.line);
		}
		else {
			this.end = comma;
		}
		return (this.kind == AddressHeader.Kind.FORWARDED) ? ForwardedElement.address(text, comma + 1, to)
				: HopText.plain(text, comma + 1, to);
	}

	private void previousLine(int current) {
		this.line = current - 1;
		this.end = (this.line >= 0) ? this.lines.get(this.line).length() : 0;
	}

	private int comma(String text) {
		return switch (this.kind) {
			case LIST -> text.lastIndexOf(',', this.end - 1);
			case FORWARDED -> ForwardedElement.comma(text, this.end);
			case SINGLE -> -1;
		};
	}

}
