package dev.ratelimit.test;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command of the documentation, as a shell and curl read it.
 *
 * @param method the method
 * @param path the path and the query, after {@code $APP} or the address of the sample
 * @param body the body; empty if there is none
 * @param user the user; empty if there is none
 * @param headers names and values
 */
public record CurlCommand(String method, String path, String body, String user, List<String> headers) {

	private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

	private static final Pattern BASE = Pattern.compile("\\$APP|http://localhost:8080");

	private static final Pattern WITH_VALUE = Pattern.compile("-[XuHd]|--data-urlencode");

	/**
	 * Read a command.
	 * @throws IllegalArgumentException if the command has no address
	 */
	public static CurlCommand parse(String command) {
		Matcher word = WORD.matcher(command);
		List<String> headers = new ArrayList<>();
		List<String> parameters = new ArrayList<>();
		String method = "GET";
		String body = "";
		String user = "";
		String url = "";
		String option = "";
		while (word.find()) {
			String text = Stream.of(word.group(1), word.group(2), word.group(3))
				.filter((group) -> group != null)
				.findFirst()
				.orElse("");
			switch (option) {
				case "-X" -> method = text;
				case "-u" -> user = text;
				case "-H" -> headers.addAll(List.of(text.split(": ", 2)));
				case "--data-urlencode" -> parameters.add(encoded(text));
				case "-d" -> {
					method = "POST";
					body = text;
				}
				default -> url = (text.startsWith("-")) ? url : text;
			}
			option = (WITH_VALUE.matcher(text).matches() && option.isEmpty()) ? text : "";
		}
		Matcher base = BASE.matcher(url);
		if (!base.lookingAt()) {
			throw new IllegalArgumentException(command);
		}
		String query = (parameters.isEmpty()) ? "" : "?" + String.join("&", parameters);
		return new CurlCommand(method, url.substring(base.end()) + query, body, user, headers);
	}

	private static String encoded(String parameter) {
		int equals = parameter.indexOf('=') + 1;
		return parameter.substring(0, equals) + URLEncoder.encode(parameter.substring(equals), StandardCharsets.UTF_8);
	}

}
