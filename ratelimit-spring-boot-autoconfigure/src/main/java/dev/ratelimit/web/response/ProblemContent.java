package dev.ratelimit.web.response;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.Problem;
import dev.ratelimit.Rejection.Content;
import dev.ratelimit.RequestView;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.util.HtmlUtils;

/**
 * Problems in writing: JSON (RFC 9457), but a page where a page is requested.
 */
final class ProblemContent {

	/** Browsers send less than two hundred characters. */
	private static final int LONGEST_ACCEPT = 1024;

	private static final JsonWriter<Problem> JSON = JsonWriter.of((members) -> {
		members.add("type", (problem) -> problem.type().uri().orElse(null)).whenNotNull();
		members.add("title", Problem::title);
		members.add("status", Problem::status);
		members.add("detail", Problem::detail);
		members.add("instance", Problem::instance);
		members.add("violated-policies", Problem::violatedPolicies);
	});

	// Nothing of the request is in it.
	private static final String PAGE = """
			<!DOCTYPE html>
			<html>
			<head>
			<meta charset="UTF-8">
			<meta name="viewport" content="width=device-width, initial-scale=1">
			<title>%1$s</title>
			</head>
			<body>
			<h1>%1$s</h1>
			<p>%2$s</p>
			</body>
			</html>
			""";

	private ProblemContent() {
	}

	static Content of(Problem problem, RequestView request) {
		return (prefersPage(request.headers("Accept"))) ? page(problem) : json(problem);
	}

	private static Content json(Problem problem) {
		return content(MediaType.APPLICATION_PROBLEM_JSON_VALUE, JSON.writeToString(problem));
	}

	private static Content page(Problem problem) {
		return content("text/html;charset=UTF-8", PAGE.formatted(HtmlUtils.htmlEscape(problem.title(), "UTF-8"),
				HtmlUtils.htmlEscape(problem.detail(), "UTF-8")));
	}

	private static Content content(String type, String text) {
		return new Content(type, text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Whether pages are requested by name, and more than JSON.
	 * @param accept the lines of {@code Accept}
	 * @return whether a page is to be written
	 */
	static boolean prefersPage(List<String> accept) {
		String header = String.join(",", accept);
		if (!header.contains("text/html") || header.length() > LONGEST_ACCEPT) {
			return false;
		}
		try {
			return prefersPage(MediaType.parseMediaTypes(header), MediaType.TEXT_HTML);
		}
		catch (InvalidMediaTypeException ex) {
			// What cannot be read prefers nothing.
			return false;
		}
	}

	private static boolean prefersPage(List<MediaType> ranges, MediaType html) {
		boolean named = ranges.stream().anyMatch(html::equalsTypeAndSubtype);
		double json = Math.max(quality(ranges, MediaType.APPLICATION_JSON),
				quality(ranges, MediaType.APPLICATION_PROBLEM_JSON));
		return named && quality(ranges, html) > json;
	}

	// The most specific range that covers a type tells its quality (RFC 9110, 12.5.1).
	private static double quality(List<MediaType> ranges, MediaType type) {
		return ranges.stream()
			.filter((range) -> range.includes(type))
			.max(Comparator.comparingInt(ProblemContent::precision))
			.map(MediaType::getQualityValue)
			.orElse(0.0);
	}

	private static int precision(MediaType range) {
		return (range.isWildcardType()) ? 0 : (range.isWildcardSubtype()) ? 1 : 2;
	}

}
