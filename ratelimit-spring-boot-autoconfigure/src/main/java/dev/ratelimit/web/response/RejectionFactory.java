package dev.ratelimit.web.response;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Problem;
import dev.ratelimit.Problem.Type;
import dev.ratelimit.RateLimitRejectionHandler;
import dev.ratelimit.Rejection;
import dev.ratelimit.Rejection.Content;
import dev.ratelimit.RequestView;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.RequestTally;
import dev.ratelimit.gate.RequestProgress;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.json.JsonWriter;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.util.HtmlUtils;

/**
 * Internal: creates the responses to rejected requests. Thread-safe.
 */
public final class RejectionFactory {

	private static final int SERVICE_UNAVAILABLE = 503;

	private final FirstFailure failure = new FirstFailure(LogFactory.getLog(RejectionFactory.class),
			"The application's RateLimitRejectionHandler failed; sending the default response.");

	private final RejectionStatus statuses;

	private final HeaderFactory headers;

	private final ProblemTexts texts;

	private final RateLimitRejectionHandler handler;

	private final RequestTally requests;

	/**
	 * Create a factory.
	 * @param statuses finds the status of a rejection
	 * @param headers the factory of header fields
	 * @param texts the texts of problems
	 * @param handler the handler of the application, which may change each response
	 * @param requests counts sent rejections
	 */
	public RejectionFactory(RejectionStatus statuses, HeaderFactory headers, ProblemTexts texts,
			RateLimitRejectionHandler handler, RequestTally requests) {
		this.statuses = statuses;
		this.headers = headers;
		this.texts = texts;
		this.handler = handler;
		this.requests = requests;
	}

	/**
	 * Return the response to a rejected request.
	 * @param progress the progress of the request, with the rejection
	 * @param request the request
	 * @param path the request's raw path, with the context path
	 * @return the response
	 */
	public RejectionResponse rejected(RequestProgress progress, RequestView request, String path) {
		Decision decision = progress.decision();
		long jitterSeconds = this.headers.jitterSeconds();
		List<Verdict> violated = RateLimitHeaders.violated(decision);
		int status = this.statuses.of(violated.get(0), progress.edition());
		OptionalLong seconds = RateLimitHeaders.retryAfterSeconds(decision, jitterSeconds);
		Problem problem = this.texts.problem(type(violated.get(0), status), status, seconds, names(violated), path,
				request);
		Map<String, String> fields = new LinkedHashMap<>();
		this.headers.rejection(progress, jitterSeconds).forEach((field) -> fields.put(field.name(), field.value()));
		return response(new Rejection(decision, problem, seconds, fields, Optional.empty()), request);
	}

	/**
	 * Return the response to an allowed request that would have to be held, if too many
	 * requests are held already.
	 * @param progress the progress of the request
	 * @param request the request
	 * @param path the request's raw path, with the context path
	 * @return the response
	 */
	public RejectionResponse overcrowded(RequestProgress progress, RequestView request, String path) {
		long millis = TimeUnit.NANOSECONDS.toMillis(progress.delay().leftNanos() + 999_999);
		long seconds = Waits.seconds(millis) + this.headers.jitterSeconds();
		List<Verdict> holding = progress.decision()
			.verdicts()
			.stream()
			.filter((verdict) -> verdict.delayMillis() > 0)
			.toList();
		OptionalLong wait = OptionalLong.of(seconds);
		Problem problem = this.texts.problem(Type.TEMPORARY_REDUCED_CAPACITY, SERVICE_UNAVAILABLE, wait, names(holding),
				path, request);
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("Retry-After", Long.toString(seconds));
		headers.put("Cache-Control", "no-store");
		return response(new Rejection(progress.decision(), problem, wait, headers, Optional.empty()), request);
	}

	/**
	 * Count a rejection that is about to be sent.
	 * @param counted whether a rule has applied to the request before
	 * @param sent the response
	 */
	public void count(boolean counted, RejectionResponse sent) {
		if (!counted) {
			this.requests.limited();
		}
		this.requests.rejected(sent.status());
	}

	/**
	 * Return the visibility of the limiter's fields, all of which a rejection replaces.
	 * @return the same for all responses
	 */
	public HeaderVisibility visibility() {
		return this.headers.visibility();
	}

	private static Type type(Verdict verdict, int status) {
		if (verdict.outcome() == Outcome.KEY_MISSING) {
			return Type.KEY_MISSING;
		}
		if (isUnwanted(verdict)) {
			return Type.ABNORMAL_USAGE_DETECTED;
		}
		return (status == SERVICE_UNAVAILABLE) ? Type.TEMPORARY_REDUCED_CAPACITY : Type.QUOTA_EXCEEDED;
	}

	private static boolean isUnwanted(Verdict verdict) {
		return verdict.outcome() == Outcome.DENY_LISTED || verdict.outcome() == Outcome.BANNED;
	}

	private static List<String> names(List<Verdict> verdicts) {
		List<String> names = new ArrayList<>(verdicts.size());
		for (Verdict verdict : verdicts) {
			// A client that is banned or on a deny list has violated no policy.
			if (!isUnwanted(verdict) && verdict.outcome() != Outcome.SHED) {
				names.add(verdict.policy().name());
			}
		}
		Collections.sort(names);
		return names;
	}

	private RejectionResponse response(Rejection proposed, RequestView request) {
		Rejection rejection = handled(proposed, request);
		return RejectionResponse.of(rejection,
				rejection.content().orElseGet(() -> ProblemContent.of(rejection.problem(), request)),
				proposed.headers().keySet());
	}

	// Catches all exceptions, because handlers in Kotlin can throw checked exceptions.
	private Rejection handled(Rejection proposed, RequestView request) {
		try {
			return Objects.requireNonNull(this.handler.handle(proposed, request), "the handler returned null");
		}
		catch (Exception ex) {
			this.failure.log(ex);
			return proposed;
		}
	}

	/**
	 * The text form of problems: JSON (RFC 9457), or a page if the client prefers pages.
	 */
	static final class ProblemContent {

		/** The maximum length of the header; browsers send fewer than 200 characters. */
		private static final int MAX_ACCEPT_LENGTH = 1024;

		private static final JsonWriter<Problem> JSON = JsonWriter.of((members) -> {
			members.add("type", (problem) -> problem.type().uri().orElse(null)).whenNotNull();
			members.add("title", Problem::title);
			members.add("status", Problem::status);
			members.add("detail", Problem::detail);
			members.add("instance", Problem::instance);
			members.add("violated-policies", Problem::violatedPolicies);
		});

		// The page contains no data of the request.
		private static final String PAGE_TEMPLATE = """
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

		/** Recently used frames, by a hash of the title and policies. */
		private static final AtomicReferenceArray<@Nullable JsonFrame> FRAMES = new AtomicReferenceArray<>(256);

		private ProblemContent() {
		}

		static Content of(Problem problem, RequestView request) {
			return (prefersPage(request.headers("Accept"))) ? page(problem) : json(problem);
		}

		private static Content json(Problem problem) {
			boolean prepared = JsonFrame.fits(problem.detail()) && JsonFrame.fits(problem.instance());
			return content(MediaType.APPLICATION_PROBLEM_JSON_VALUE,
					(prepared) ? frame(problem).text(problem) : JSON.writeToString(problem));
		}

		// Frames are cached, because most rejections of a rule differ only in the wait
		// and the path.
		private static JsonFrame frame(Problem problem) {
			int slot = (31 * problem.violatedPolicies().hashCode() + problem.title().hashCode())
					& (FRAMES.length() - 1);
			JsonFrame frame = FRAMES.get(slot);
			if (frame == null || !frame.isOf(problem)) {
				frame = JsonFrame.of(problem);
				FRAMES.set(slot, frame);
			}
			return frame;
		}

		private static Content page(Problem problem) {
			return content("text/html;charset=UTF-8", PAGE_TEMPLATE.formatted(
					HtmlUtils.htmlEscape(problem.title(), "UTF-8"), HtmlUtils.htmlEscape(problem.detail(), "UTF-8")));
		}

		private static Content content(String type, String text) {
			return new Content(type, text.getBytes(StandardCharsets.UTF_8));
		}

		/**
		 * Whether the client accepts HTML explicitly, and prefers it to JSON.
		 * @param accept the lines of {@code Accept}
		 * @return whether to write a page
		 */
		static boolean prefersPage(List<String> accept) {
			String header = String.join(",", accept);
			if (!header.contains("text/html") || header.length() > MAX_ACCEPT_LENGTH) {
				return false;
			}
			try {
				return prefersPage(MediaType.parseMediaTypes(header), MediaType.TEXT_HTML);
			}
			catch (InvalidMediaTypeException ex) {
				// An invalid header expresses no preference.
				return false;
			}
		}

		private static boolean prefersPage(List<MediaType> ranges, MediaType html) {
			boolean named = ranges.stream().anyMatch(html::equalsTypeAndSubtype);
			double json = Math.max(quality(ranges, MediaType.APPLICATION_JSON),
					quality(ranges, MediaType.APPLICATION_PROBLEM_JSON));
			return named && quality(ranges, html) > json;
		}

		// The most specific range that includes a type determines its quality (RFC 9110,
		// 12.5.1).
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

		/**
		 * The JSON of a problem without its detail and instance.
		 *
		 * @param common the problem without these
		 * @param start the text before the detail
		 * @param middle the text between the detail and the instance
		 * @param end the text after the instance
		 */
		private record JsonFrame(Problem common, String start, String middle, String end) {

			// Values cannot contain these texts, because their quotes are escaped.
			private static final String DETAIL = "\"detail\":\"\"";

			private static final String INSTANCE = "\"instance\":\"\"";

			static JsonFrame of(Problem problem) {
				Problem common = new Problem(problem.type(), problem.title(), problem.status(), "", "",
						problem.violatedPolicies());
				String json = JSON.writeToString(common);
				int detail = json.indexOf(DETAIL) + DETAIL.length() - 1;
				int instance = json.indexOf(INSTANCE) + INSTANCE.length() - 1;
				return new JsonFrame(common, json.substring(0, detail), json.substring(detail, instance),
						json.substring(instance));
			}

			boolean isOf(Problem problem) {
				return this.common.status() == problem.status() && this.common.type() == problem.type()
						&& this.common.title().equals(problem.title())
						&& this.common.violatedPolicies().equals(problem.violatedPolicies());
			}

			/**
			 * Whether a text is unchanged in JSON.
			 * @param text the text
			 * @return false if it must or may have to be escaped
			 */
			static boolean fits(String text) {
				for (int i = 0; i < text.length(); i++) {
					char character = text.charAt(i);
					if (character < ' ' || character > '~' || character == '"' || character == '\\') {
						return false;
					}
				}
				return true;
			}

			String text(Problem problem) {
				return this.start + problem.detail() + this.middle + problem.instance() + this.end;
			}

		}

	}

}
