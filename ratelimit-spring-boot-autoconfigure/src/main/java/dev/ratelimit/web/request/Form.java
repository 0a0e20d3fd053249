package dev.ratelimit.web.request;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Internal: the fields of a form in the body of a request.
 */
@FunctionalInterface
public interface Form {

	/** Without a form, there are no fields. */
	CompletableFuture<Form> NOTHING = CompletableFuture.completedFuture((name) -> List.of());

	/**
	 * The values of a field.
	 * @param name the field's name
	 * @return all its values, also those of a query parameter of this name where the
	 * server does not tell them apart; empty if there is none
	 */
	List<String> values(String name);

	/**
	 * The one value of a field, as a name: without blanks around it, and in lower case,
	 * since those who look the name up may do the same. A field that occurs twice, or in
	 * the query too, has none: one reader would take the one, and another the other.
	 * @param name the field's name
	 * @param query the query string
	 * @return the value, if there is one
	 */
	default Optional<String> field(String name, String query) {
		List<String> values = values(name);
		boolean ambiguous = values.size() != 1 || QueryParameter.first(query, name).isPresent();
		return (ambiguous) ? Optional.empty() : Optional.of(values.get(0).strip().toLowerCase(Locale.ROOT));
	}

	/**
	 * Whether a body is a form that is known by its fields.
	 * @param method the request's method
	 * @param contentType the type that the request says it has, if it says so
	 * @return whether it is a form of the type {@code application/x-www-form-urlencoded}
	 */
	static boolean isForm(String method, @Nullable String contentType) {
		if (contentType == null || !HttpMethod.POST.matches(method)) {
			return false;
		}
		try {
			return MediaType.APPLICATION_FORM_URLENCODED.includes(MediaType.parseMediaType(contentType));
		}
		catch (InvalidMediaTypeException ex) {
			// Nobody reads it as a form either.
			return false;
		}
	}

}
