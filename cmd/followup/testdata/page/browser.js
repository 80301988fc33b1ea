document.title = "card";
