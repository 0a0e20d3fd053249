package dev.ratelimit.web.response;

import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import java.util.OptionalLong;

import dev.ratelimit.Problem;
import dev.ratelimit.Problem.Type;
import dev.ratelimit.RequestView;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.MessageSource;
import org.springframework.http.HttpStatus;

/**
 * Internal: the texts of problems: the application's messages in the language of the
 * request, or English defaults. Thread-safe.
 */
public final class ProblemTexts {

	/** English texts. */
	public static final ProblemTexts ENGLISH = new ProblemTexts(null);

	private final FirstFailure failure = new FirstFailure(LogFactory.getLog(ProblemTexts.class),
			"Failed to resolve a problem message; using the English default.");

	private final @Nullable MessageSource messages;

	private ProblemTexts(@Nullable MessageSource messages) {
		this.messages = messages;
	}

	/**
	 * Create texts from the messages of an application under {@code ratelimit.problem}.
	 * @param messages the messages
	 * @return the texts
	 */
	public static ProblemTexts of(MessageSource messages) {
		return new ProblemTexts(messages);
	}

	Problem problem(Type type, int status, OptionalLong waitSeconds, List<String> policies, String path,
			RequestView request) {
		Problem english = new Problem(type, title(type, status), status, detail(type, waitSeconds), path, policies);
		return (this.messages != null) ? translated(english, waitSeconds, this.messages, request) : english;
	}

	private Problem translated(Problem english, OptionalLong waitSeconds, MessageSource source, RequestView request) {
		Locale locale = Languages.preferred(request);
		String code = "ratelimit.problem." + english.type().code();
		Object[] arguments = { waitSeconds.orElse(0), String.join(", ", english.violatedPolicies()) };
		String detail = (waitSeconds.isPresent() || english.type() == Type.KEY_MISSING) ? ".detail"
				: ".detail-no-retry";
		return english.withText(message(source, code + ".title", arguments, locale, english.title()),
				message(source, code + detail, arguments, locale, english.detail()));
	}

	// Some sources return the code for unknown messages.
	private String message(MessageSource source, String code, Object[] arguments, Locale locale, String english) {
		try {
			String message = source.getMessage(code, arguments, null, locale);
			return (message == null || message.equals(code)) ? english : message;
		}
		catch (RuntimeException ex) {
			this.failure.log(ex);
			return english;
		}
	}

	private static String title(Type type, int status) {
		return switch (type) {
			case QUOTA_EXCEEDED -> "Quota Exceeded";
			case TEMPORARY_REDUCED_CAPACITY -> "Temporary Reduced Capacity";
			case ABNORMAL_USAGE_DETECTED -> "Abnormal Usage Detected";
			case KEY_MISSING -> {
				HttpStatus resolved = HttpStatus.resolve(status);
				yield (resolved != null) ? resolved.getReasonPhrase() : "Request Rejected";
			}
		};
	}

	private static String detail(Type type, OptionalLong waitSeconds) {
		return switch (type) {
			case QUOTA_EXCEEDED -> "Rate limit exceeded. " + wait(waitSeconds);
			case TEMPORARY_REDUCED_CAPACITY -> "The service cannot process this request. " + wait(waitSeconds);
			case ABNORMAL_USAGE_DETECTED ->
				(waitSeconds.isPresent()) ? "Too many requests were rejected or failed. " + wait(waitSeconds)
						: "Requests from this IP address are not allowed. " + wait(waitSeconds);
			case KEY_MISSING ->
				"The request does not identify the client. Send the required credentials, header, or" + " parameter.";
		};
	}

	private static String wait(OptionalLong seconds) {
		if (seconds.isEmpty()) {
			return "Do not retry this request.";
		}
		return "Retry in " + seconds.getAsLong() + ((seconds.getAsLong() == 1) ? " second." : " seconds.");
	}

	/**
	 * The requested language.
	 */
	static final class Languages {

		/** The maximum length of the header; browsers send fewer than 100 characters. */
		private static final int MAX_CHARACTERS = 256;

		private Languages() {
		}

		/**
		 * Return the preferred language.
		 * @param request the request
		 * @return the first language of {@code Accept-Language}; the default of the JVM
		 * if the header is missing or invalid
		 */
		static Locale preferred(RequestView request) {
			String header = String.join(",", request.headers("Accept-Language"));
			return (header.isBlank() || header.length() > MAX_CHARACTERS) ? Locale.getDefault() : read(header);
		}

		private static Locale read(String header) {
			try {
				List<LanguageRange> ranges = LanguageRange.parse(header);
				String first = ranges.get(0).getRange();
				return (first.startsWith("*") || ranges.get(0).getWeight() == 0) ? Locale.getDefault()
						: Locale.forLanguageTag(first);
			}
			catch (IllegalArgumentException | IndexOutOfBoundsException ex) {
				// An invalid header selects no language. The parser of the JDK does not
				// always throw the documented exception.
				return Locale.getDefault();
			}
		}

	}

}
