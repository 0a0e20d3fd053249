package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.engine.FormNames;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;

/**
 * Internal: the fields of a form in the body of a request.
 */
@FunctionalInterface
public interface Form {

	/** The form of requests without a form: it has no fields. */
	CompletableFuture<Form> NOTHING = CompletableFuture.completedFuture((name) -> Optional.of(List.of()));

	/** A form that was not read: its fields are unknown. */
	CompletableFuture<Form> UNREAD = CompletableFuture.completedFuture((name) -> Optional.empty());

	/**
	 * Return the values of a field.
	 * @param name the field's name
	 * @return all its values, also those of a query parameter of this name if the server
	 * does not separate them; an empty list if the field does not exist; empty if the
	 * form was not read
	 */
	Optional<List<String>> values(String name);

	/**
	 * Return the single value of a field, normalized as a name: without surrounding
	 * blanks, without invisible characters, and in one width and case, because the
	 * application or its database may compare names in this way. Accents distinguish
	 * names. A field that is {@linkplain #isAmbiguous ambiguous} has no value.
	 * @param name the field's name
	 * @param query the query string
	 * @return the value, if there is one
	 */
	default Optional<String> field(String name, String query) {
		return values(name).filter((values) -> values.size() == 1 && !isAmbiguous(name, query))
			.map((values) -> FormNames.canonical(values.get(0)));
	}

	/**
	 * Whether the application may read another value of a field: if the field occurs
	 * twice, or also in the query, readers differ in the value that they use.
	 * @param name the field's name
	 * @param query the query string
	 * @return whether the request may have the field, although {@link #field} is empty
	 */
	default boolean isAmbiguous(String name, String query) {
		return values(name).filter((values) -> values.size() <= 1).isEmpty()
				|| !QueryParameter.all(query, name).isEmpty();
	}

	/**
	 * Whether the content of a request is a form with fields.
	 * @param method the request's method
	 * @param contentType the declared content type, if there is one
	 * @return whether it is a form of the type {@code application/x-www-form-urlencoded}
	 * with any parameters, which servers read
	 */
	static boolean isForm(String method, @Nullable String contentType) {
		return HttpMethod.POST.matches(method) && isUrlEncoded(contentType);
	}

	private static boolean isUrlEncoded(@Nullable String contentType) {
		return MediaType.APPLICATION_FORM_URLENCODED_VALUE.equalsIgnoreCase(type(contentType));
	}

	/**
	 * Whether the application may find fields in content that is not read here: in parts,
	 * or in a form with a method other than {@code POST}, which filters of Spring read.
	 * @param contentType the declared content type, if there is one
	 * @return whether there may be fields
	 */
	static boolean mayHaveFields(@Nullable String contentType) {
		return isMultipart(contentType) || isUrlEncoded(contentType);
	}

	/**
	 * Whether the content of a request has parts, which are not read here, and which
	 * servers may read as fields.
	 * @param contentType the declared content type, if there is one
	 * @return whether it has parts
	 */
	static boolean isMultipart(@Nullable String contentType) {
		String multipart = MediaType.MULTIPART_FORM_DATA.getType() + "/";
		return type(contentType).regionMatches(true, 0, multipart, 0, multipart.length());
	}

	private static String type(@Nullable String contentType) {
		if (contentType == null) {
			return "";
		}
		int end = contentType.indexOf(';');
		return ((end < 0) ? contentType : contentType.substring(0, end)).strip();
	}

}
