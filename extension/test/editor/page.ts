// The page that the pictures' agents work on.

export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Harbour Ferries</title>
  </head>
  <body>
    <header>
      <h1>Harbour Ferries</h1>
      <nav>
        <a href="#timetable">Timetable</a>
        <a href="#fares">Fares</a>
      </nav>
    </header>
    <main>
      <section id="timetable"></section>
      <section id="fares"></section>
    </main>
  </body>
</html>
`;
