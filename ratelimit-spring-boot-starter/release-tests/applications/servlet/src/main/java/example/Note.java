package example;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity(name = "notes")
class Note {

	@Id
	@GeneratedValue
	private Long id;

	private String author;

	private String text;

	protected Note() {
	}

	Note(String author, String text) {
		this.author = author;
		this.text = text;
	}

	public Long getId() {
		return this.id;
	}

	public String getText() {
		return this.text;
	}

}
