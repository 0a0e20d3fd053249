package dev.ratelimit.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A complete response.
 *
 * @param statusCode the status
 * @param headers the header lines, by case-insensitive name
 * @param body the body
 */
public record Reply(int statusCode, Map<String, List<String>> headers, String body) {

	static Reply parse(byte[] bytes) {
		String text = withoutInterim(new String(bytes, StandardCharsets.ISO_8859_1));
		int end = text.indexOf("\r\n\r\n");
		if (end < 0) {
			throw new IllegalStateException("no response: '" + text + "'");
		}
		String[] lines = text.substring(0, end).split("\r\n");
		Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		Arrays.stream(lines).skip(1).forEach((line) -> {
			int colon = line.indexOf(':');
			headers.merge(line.substring(0, colon), List.of(line.substring(colon + 1).trim()), Reply::both);
		});
		String body = text.substring(end + 4);
		boolean chunked = headers.getOrDefault("Transfer-Encoding", List.of()).contains("chunked");
		return new Reply(Integer.parseInt(lines[0].split(" ")[1]), headers, (chunked) ? unchunk(body) : body);
	}

	public String header(String name) {
		return String.join(", ", this.headers.getOrDefault(name, List.of()));
	}

	// Remove an interim response, such as status 100, which requests the content.
	private static String withoutInterim(String text) {
		return (text.startsWith("HTTP/1.1 100 ")) ? withoutInterim(text.substring(text.indexOf("\r\n\r\n") + 4)) : text;
	}

	private static List<String> both(List<String> first, List<String> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	private static String unchunk(String chunks) {
		StringBuilder body = new StringBuilder();
		int at = 0;
		while (at < chunks.length()) {
			int line = chunks.indexOf("\r\n", at);
			int size = Integer.parseInt(chunks.substring(at, line).trim(), 16);
			if (size == 0) {
				break;
			}
			body.append(chunks, line + 2, line + 2 + size);
			at = line + 2 + size + 2;
		}
		return body.toString();
	}

}
